import { codecs, DONE, readChunk, readFrames, translateRequest, writeChunk } from "@manifold-gateway/core";
import { askOf, check, isRefused } from "@manifold-gateway/core/capability";
import { type Json, run } from "@manifold-gateway/core/codec";
import { protocolNames } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[keyof typeof codecs, Json, string]>([
  ["chatstyle", { id: "c" }, 'data: {"id":"c"}\n\n'],
  ["chatstyle", DONE, "data: [DONE]\n\n"],
  ["msgstyle", { type: "message_stop" }, 'event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  [
    "responses",
    { type: "response.created" },
    'event: response.created\ndata: {"type":"response.created"}\n\n',
  ],
  ["responses", DONE, "data: [DONE]\n\n"],
  ["genstyle", { candidates: [] }, 'data: {"candidates":[]}\n\n'],
  ["msgstyle", null, "data: null\n\n"],
])("a chunk of %s is framed as its clients expect: %j", (protocol, chunk, text) => {
  expect(writeChunk(chunk, codecs[protocol])).toBe(text);
  expect(run(readFrames(), [bytes(text)]).map(readChunk)).toEqual([chunk]);
});

test("a chunk that is not JSON is read as text", () => {
  expect(readChunk({ data: "upstream broke" })).toBe("upstream broke");
});

test.each(protocolNames)("codecs are chosen at run time, with %s as the target", (name) => {
  const request = { model: "m", messages: [{ role: "user", content: "Hello" }], max_tokens: 64 };
  for (const from of ["chatstyle", "msgstyle"] as const) {
    const { wire, losses } = translateRequest(request, { from: codecs[from], to: codecs[name] });
    expect(JSON.stringify(wire)).toContain("Hello");
    expect(losses.filter(({ why }) => why === "unsupported")).toEqual([]);
  }
});

test("a finding after a schema knows which spelling was used", () => {
  const { chatstyle } = codecs;
  const messages = [{ role: "user", content: "Hello" }];
  const wire = chatstyle.request.schema.parse({ model: "m", max_completion_tokens: 9, messages });
  const ask = askOf(chatstyle.request.decode(wire), { codec: chatstyle, wire });
  const issues = check({ params: { maxTokens: { type: "int", min: 1, max: 5 } } }, ask);
  expect(isRefused(issues)).toBe(true);
  expect(issues.map(({ path }) => path)).toEqual(["/max_completion_tokens"]);
});
