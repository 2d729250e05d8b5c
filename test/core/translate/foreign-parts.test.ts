import { type AnyCodec, codecs, encodeRequest, traceOrigins } from "@manifold-gateway/core";
import { callerPath } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";

const from: AnyCodec = codecs.msgstyle;
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const found = {
  type: "search_result",
  source: "https://example.test/red",
  title: "Red",
  content: [
    { type: "text", text: "Red is warm." },
    { type: "text", text: "Blue is not." },
  ],
  citations: { enabled: true },
};
const pieces = {
  type: "document",
  title: "Colours",
  context: "A leaflet.",
  source: { type: "content", content: [{ type: "text", text: "Green is calm." }, image] },
};
const ask = (...messages: JsonObject[]): JsonObject => ({ model: "m", max_tokens: 100, messages });
const asked = ask({ role: "user", content: [pieces, found, { type: "text", text: "Which is warm?" }] });
const looked = ask(
  { role: "user", content: "Which is warm?" },
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "look", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [found] }] },
);

/** The request as a target gets it, and the losses where the caller's body has them. */
function sent(wire: JsonObject, target: keyof typeof codecs) {
  const origins = traceOrigins(from.params);
  const request = from.request.decode(wire, origins.trace);
  const encoded = encodeRequest(request, codecs[target] as AnyCodec);
  const told = encoded.losses.map(
    ({ path, why }) => `${callerPath(path, request, { codec: from, wire, origins })} ${why}`,
  );
  return { wire: encoded.wire, told };
}

/** All texts of a wire, in their order. */
const textsOf = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        typeof inner === "string" && ["text", "content", "output"].includes(key) ? [inner] : textsOf(inner),
      );

const readings = [
  "Colours\nA leaflet.",
  "Green is calm.",
  "Red\nhttps://example.test/red",
  "Red is warm.",
  "Blue is not.",
  "Which is warm?",
];

describe.each(["chatstyle", "responses", "genstyle"] as const)("sources in a request to %s", (target) => {
  it("sources are sent as plain content, in their order, with their pictures", () => {
    const { wire, told } = sent(asked, target);
    expect(textsOf(wire)).toEqual(readings);
    expect(JSON.stringify(wire)).toContain("iVBORw0KGgo=");
    expect(told).toEqual(["/messages/0/content/0 approximated", "/messages/0/content/1 approximated"]);
  });

  it("sources are sent in the result of a tool", () => {
    const { wire, told } = sent(looked, target);
    for (const text of ["Red is warm.", "https://example.test/red"])
      expect(JSON.stringify(wire)).toContain(text);
    expect(told).toContain("/messages/2/content/0/content/0 approximated");
    expect(told.filter((loss) => loss.endsWith("unsupported"))).toEqual([]);
  });
});

it("sources stay as they are in their own protocol", () => {
  expect(sent(asked, "msgstyle")).toEqual({ wire: asked, told: [] });
});

it("sources without text are left out", () => {
  const empty = { ...found, content: [] };
  const { wire, told } = sent(
    ask({ role: "user", content: [empty, { type: "text", text: "Hello." }] }),
    "chatstyle",
  );
  expect(textsOf(wire)).toEqual(["Hello."]);
  expect(told).toEqual(["/messages/0/content/0 unsupported"]);
});

it.each(["chatstyle", "responses", "genstyle"] as const)(
  "the result of a search for tools says to %s that they are there",
  (target) => {
    const names = ["mcp__mail__send", "mcp__mail__list"];
    const { wire, told } = sent(
      {
        ...ask(
          { role: "user", content: "Send it." },
          { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "search", input: {} }] },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "t1",
                content: names.map((tool_name) => ({ type: "tool_reference", tool_name })),
              },
            ],
          },
        ),
        tools: ["search", ...names].map((name) => ({ name, input_schema: { type: "object" } })),
      },
      target,
    );
    const said = textsOf(wire).join(" ");
    for (const name of names) expect(said).toContain(`The tool ${name} can be called.`);
    expect(told.filter((loss) => loss.endsWith("unsupported"))).toEqual([]);
  },
);

describe.each(["chatstyle", "responses", "genstyle"] as const)("a compacted conversation to %s", (target) => {
  const compacted = ask(
    { role: "user", content: "A long story." },
    { role: "assistant", content: [{ type: "compaction", content: "The story of Ann." }] },
    { role: "user", content: "Who?" },
  );
  it("is told by its summary", () => {
    const { wire, told } = sent(compacted, target);
    expect(textsOf(wire)).toContain("The story of Ann.");
    expect(told).toContain("/messages/1/content/0 approximated");
  });
});
