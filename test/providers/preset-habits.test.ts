import { chatstyle, codecs, translateRequest } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { fromPreset } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

/** A request with everything that this wire has and the chat wire has too. */
const generate = {
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  generationConfig: {
    seed: 7,
    stopSequences: ["x"],
    frequencyPenalty: 0.5,
    presencePenalty: 0.5,
    responseLogprobs: true,
    logprobs: 2,
    candidateCount: 2,
    maxOutputTokens: 99,
  },
};
const responses = {
  model: "m",
  input: "hi",
  store: false,
  user: "u",
  prompt_cache_key: "k",
  safety_identifier: "s",
  service_tier: "flex",
  metadata: { a: "b" },
  text: { verbosity: "low" },
};

/** What a preset's server gets of a caller's request on another wire, and the losses that the caller is shown. */
function sent(id: string, body: JsonObject, from: "genstyle" | "responses" = "genstyle", stream = false) {
  const { speaks } = fromPreset(id);
  const codec = codecs[from] as never;
  const traits = speaks.chatstyle?.serverTraits;
  const { wire, losses } = translateRequest({ ...body, stream } as never, {
    from: codec,
    to: chatstyle,
    traits,
  });
  return { wire: wire as JsonObject, lost: losses.map(({ path }) => path) };
}

describe("a server that refuses members of the chat wire", () => {
  it.each([
    [
      "groq",
      ["logprobs", "top_logprobs", "n"],
      [
        "/generationConfig/responseLogprobs",
        "/generationConfig/logprobs",
        "/generationConfig/candidateCount",
      ],
    ],
    [
      "cerebras",
      ["frequency_penalty", "presence_penalty"],
      ["/generationConfig/frequencyPenalty", "/generationConfig/presencePenalty"],
    ],
    ["minimax", ["n"], ["/generationConfig/candidateCount"]],
    [
      "mistral",
      ["seed", "logprobs", "top_logprobs"],
      ["/generationConfig/responseLogprobs", "/generationConfig/logprobs"],
    ],
    ["perplexity", ["stop", "seed"], ["/generationConfig/stopSequences", "/generationConfig/seed"]],
    ["alibaba", ["frequency_penalty"], ["/generationConfig/frequencyPenalty"]],
    [
      "zai",
      ["frequency_penalty", "presence_penalty"],
      ["/generationConfig/frequencyPenalty", "/generationConfig/presencePenalty"],
    ],
  ])("%s gets them not, and the caller is shown the losses", (id, refused, losses) => {
    const { wire, lost } = sent(id, generate);
    expect(Object.keys(wire).filter((name) => refused.includes(name))).toEqual([]);
    expect(lost).toEqual(expect.arrayContaining(losses));
  });

  it("mistral and nvidia get nothing that is only the protocol's own vendor's", () => {
    const known = ["model", "messages", "metadata"];
    const { wire, lost } = sent("mistral", responses, "responses");
    expect(Object.keys(wire).filter((name) => !known.includes(name))).toEqual([]);
    expect(lost).toEqual(expect.arrayContaining(["/prompt_cache_key"]));
    expect(Object.keys(sent("nvidia", responses, "responses").wire).sort()).toEqual([
      "messages",
      "model",
      "user",
    ]);
  });

  it("mistral gets the seed in its own spelling", () => {
    expect(sent("mistral", generate).wire).toMatchObject({ random_seed: 7 });
    expect(sent("togetherai", generate).wire).toMatchObject({ seed: 7 });
  });

  it.each(["mistral", "cohere"])("%s gets no options of a stream", (id) => {
    expect(sent(id, responses, "responses", true).wire).not.toHaveProperty("stream_options");
    const { wire } = sent("togetherai", responses, "responses", true);
    expect(wire).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});

it("labels are not sent to the Gemini API, which does not have them", () => {
  const { speaks } = fromPreset("google");
  const traits = speaks.genstyle?.serverTraits;
  const { wire, losses } = translateRequest(responses, {
    from: codecs.responses,
    to: codecs.genstyle,
    traits,
  });
  expect(wire).not.toHaveProperty("labels");
  expect(losses.map(({ path }) => path)).toContain("/metadata");
});

describe("a server that reads the content of messages as a string", () => {
  it.each(["deepseek", "groq", "cerebras", "sambanova", "nvidia"])("%s gets several texts as one", (id) => {
    const parts = [{ text: "a" }, { text: "b" }];
    const { wire, lost } = sent(id, {
      systemInstruction: { parts },
      contents: [
        { role: "user", parts },
        { role: "model", parts },
        { role: "user", parts: [{ text: "c" }] },
      ],
    });
    const contents = (wire.messages as JsonObject[]).map(({ content }) => content);
    expect(contents).toEqual(["a\n\nb", "a\n\nb", "a\n\nb", "c"]);
    expect(lost).toEqual(["/systemInstruction/parts", "/contents/0/parts", "/contents/1/parts"]);
  });

  it("others get the list", () => {
    const contents = [{ role: "user", parts: [{ text: "a" }, { text: "b" }] }];
    const { wire, lost } = sent("openrouter", { contents });
    expect((wire.messages as JsonObject[])[0]?.content).toHaveLength(2);
    expect(lost).toEqual([]);
  });
});
