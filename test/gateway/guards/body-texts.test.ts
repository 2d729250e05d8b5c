import { protocols } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import { bodyTexts, withTexts } from "../../../packages/gateway/src/guards/body-texts.ts";

const SECRET = "123-45-6789";
/** A value in which every member has a name that means something elsewhere. */
const value = {
  id: SECRET,
  type: "rosalind",
  status: "secret",
  object: ["ADA", { logprobs: [{ token: SECRET }], logprobs_of: SECRET, signature: "a".repeat(20) }],
};
const leaves = (place: string) => [
  { place: `${place}/id`, text: SECRET },
  { place: `${place}/type`, text: "rosalind" },
  { place: `${place}/status`, text: "secret" },
  { place: `${place}/object/0`, text: "ADA" },
  { place: `${place}/object/1/logprobs/0/token`, text: SECRET },
  { place: `${place}/object/1/logprobs_of`, text: SECRET },
  { place: `${place}/object/1/signature`, text: "a".repeat(20) },
];
const cases: [what: string, place: string, body: JsonObject][] = [
  [
    "arguments of a call",
    "/messages/0/content/0/input",
    {
      messages: [{ role: "assistant", content: [{ type: "tool_use", id: "t_1", name: "f", input: value }] }],
    },
  ],
  [
    "arguments of generate-content",
    "/contents/0/parts/0/functionCall/args",
    { contents: [{ parts: [{ functionCall: { name: "f", args: value } }] }] },
  ],
  [
    "the result of a call",
    "/contents/0/parts/0/functionResponse/response",
    { contents: [{ parts: [{ functionResponse: { name: "f", response: value } }] }] },
  ],
  ["metadata", "/metadata", { metadata: value }],
  ["a document of a ranking", "/documents/0", { documents: [value] }],
];

describe("values that mean what their caller wants", () => {
  it.each(cases)(
    "%s: each text is checked whatever its member is called, and what is not changed stays",
    (_, place, body) => {
      const texts = bodyTexts({ model: "m", ...body }, protocols).filter((one) =>
        one.place.startsWith(place),
      );
      expect(texts).toEqual(leaves(place));
      const masked = withTexts(body, new Map([[`${place}/id`, "***"]]), protocols);
      expect(JSON.stringify(masked)).toBe(JSON.stringify(body).replace(SECRET, "***"));
    },
  );

  it("files in them are left out", () => {
    const data = Buffer.alloc(300, 1).toString("base64");
    const input = { url: `data:image/png;base64,${data}`, image: { mimeType: "image/png", data } };
    const body = { messages: [{ content: [{ type: "tool_use", name: "f", input }] }] };
    expect(bodyTexts(body, protocols).map(({ text }) => text)).toEqual(["f", "image/png"]);
  });
});

describe("tokens of a text", () => {
  const answer = { choices: [{ message: { content: "Ada" }, logprobs: { content: [{ token: "Ada" }] } }] };
  const masked = new Map([["/choices/0/message/content", "***"]]);

  it("are no texts, and left out with a text that is changed", () => {
    expect(bodyTexts(answer, protocols)).toEqual([{ place: "/choices/0/message/content", text: "Ada" }]);
    expect(withTexts(answer, masked, protocols)).toEqual({ choices: [{ message: { content: "***" } }] });
  });

  it("are asked for by a request that a guard changes, as before", () => {
    const contents = [{ role: "user", parts: [{ text: "Ada" }] }];
    const request = { contents, generationConfig: { responseLogprobs: true, logprobs: 3 }, logprobs: true };
    const made = withTexts(request, new Map([["/contents/0/parts/0/text", "***"]]), protocols);
    expect(JSON.stringify(made)).toBe(JSON.stringify(request).replace("Ada", "***"));
  });
});

describe("words in capitals", () => {
  it.each<JsonObject>([
    { input: ["ADA"], messages: [{ role: "user", content: "ADA" }] },
    { contents: [{ parts: [{ text: "ADA" }] }], prompt: "ADA", query: "ADA" },
    { choices: [{ message: { content: "ADA" } }], output: [{ content: [{ text: "ADA" }] }] },
  ])("are texts, like all others: %j", (body) => {
    const places = JSON.stringify(body).match(/ADA/g)?.length ?? 0;
    expect(bodyTexts(body, protocols).map(({ text }) => text)).toEqual(Array(places).fill("ADA"));
  });

  it("are no texts where a protocol has constants", () => {
    const body: JsonObject = {
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
      tools: [{ functionDeclarations: [{ parameters: { type: "OBJECT" }, behavior: "NON_BLOCKING" }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
      generationConfig: {
        responseModalities: ["TEXT", "IMAGE"],
        thinkingConfig: { thinking_level: "HIGH" },
        mediaResolution: "MEDIA_RESOLUTION_LOW",
      },
      contents: [{ parts: [{ executableCode: { language: "PYTHON" } }] }],
      candidates: [{ finishReason: "STOP" }],
      usageMetadata: { promptTokensDetails: [{ modality: "TEXT" }], trafficType: "ON_DEMAND" },
      promptFeedback: { blockReason: "SAFETY" },
    };
    expect(bodyTexts(body, protocols)).toEqual([]);
  });
});
