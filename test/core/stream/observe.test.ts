import { type AnyCodec, chatstyle, DONE, observe, observeBody } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import { each } from "../../../packages/core/src/codec/machine.ts";
import { isObject } from "../../../packages/core/src/json/json.ts";

/** A wire of the smallest kind: `{text}`, `{usage}`, `{finish}`, `{error}`. */
const parsed: Json[] = [];
const tiny = {
  reply: {
    decode: () =>
      each<Json, Event>((chunk) => {
        parsed.push(chunk);
        if (!isObject(chunk)) return [];
        if (typeof chunk.usage === "number")
          return [{ type: "usage", usage: { input: 1, output: chunk.usage } }];
        if (typeof chunk.finish === "string") return [{ type: "finish", reason: "stop", raw: chunk.finish }];
        if (typeof chunk.error === "string")
          return [{ type: "failure", failure: { kind: "server", status: 500, message: chunk.error } }];
        return typeof chunk.text === "string" ? [{ type: "delta", index: 0, text: chunk.text }] : [];
      }),
    burst: (body: Json) => (Array.isArray(body) ? body : [body]),
    marks: ['"usage"', '"finish"', '"error"'],
    content: ["text", "arguments"],
  },
  billing: { billed: () => undefined },
  frame: { last: (chunk: Json) => isObject(chunk) && chunk.finish !== undefined },
} as unknown as AnyCodec;

test("usage, an end and an error are seen, and the last of each counts", () => {
  const watch = observe(tiny);
  expect(watch.chunk('{"usage":1}')).toEqual({ last: false, failed: false });
  watch.chunk('{"usage":7}');
  expect(watch.chunk('{"finish":"end"}')).toEqual({ last: true, failed: false });
  expect(watch.chunk(DONE)).toEqual({ last: true, failed: false });
  expect(watch.end()).toEqual({
    usage: { input: 1, output: 7 },
    finish: { reason: "stop", raw: "end" },
    content: 0,
  });
});

test("of several alternatives the end of the first is seen, in whichever order they come", () => {
  const first = { index: 0, message: { content: "a" }, finish_reason: "stop" };
  const second = { index: 1, message: { content: "b" }, finish_reason: "length" };
  for (const choices of [
    [first, second],
    [second, first],
  ])
    expect(observeBody(chatstyle as AnyCodec, { choices }).finish?.raw).toBe("stop");
});

test("an error is reported at once", () => {
  const watch = observe(tiny);
  expect(watch.chunk('{"error":"overloaded"}').failed).toBe(true);
  expect(watch.end().failure?.message).toBe("overloaded");
});

test("chunks without a mark are measured and never parsed", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.constantFrom(0, 1), (texts, indent) => {
      const watch = observe(tiny);
      parsed.length = 0;
      const chunks = texts.map((text) =>
        JSON.stringify({ role: "x", text, other: 'text":"no' }, null, indent),
      );
      const marked = chunks.some((chunk) => /"(usage|finish|error)"/.test(chunk));
      for (const chunk of chunks) watch.chunk(chunk);
      if (!marked) expect(parsed).toEqual([]);
      expect(watch.end().content).toBe(texts.reduce((sum, text) => sum + JSON.stringify(text).length - 2, 0));
    }),
  );
});

test.each([
  ['{"text":"abc"}', 3],
  ['{"text" : "abc\\\\"}', 5],
  ['{"text":"a\\"b"}', 4],
  ['{"text":null,"role":"assistant"}', 0],
  ['{"text":""}', 0],
  ['{"parts":[{"text":"ab"},{"text":"c"}],"arguments":"{}"}', 5],
  ['{"note":"\\"text\\":\\"x\\""}', 0],
  // Where the closing quote is missing, the last unit passes for it.
  ['{"text":"unfinished', 9],
  ["not json", 0],
])("the chunk %s holds %i units of content", (chunk, content) => {
  const watch = observe(tiny);
  watch.chunk(chunk);
  expect(watch.end().content).toBe(content);
});

test("a unary body is read like a stream that came at once", () => {
  const body: Json = [{ text: "four" }, { usage: 3 }, { finish: "end" }];
  expect(observeBody(tiny, body)).toMatchObject({ content: 4, usage: { output: 3 }, finish: { raw: "end" } });
});

test("a chunk that is not JSON is ignored", () => {
  expect(observe(tiny).chunk('{"usage":')).toEqual({ last: false, failed: false });
});
