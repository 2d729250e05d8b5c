import { chatstyle, genstyle, msgstyle, type TextRequest } from "@manifold-gateway/core";
import { type JsonObject, parseArguments } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asked } from "../translate/text-request.ts";

const calling = (text: string): TextRequest =>
  asked([
    { role: "user", parts: [{ type: "text", text: "hi" }] },
    { role: "assistant", parts: [{ type: "call", id: "a", name: "f", arguments: text }] },
    { role: "user", parts: [{ type: "result", id: "a", parts: [{ type: "text", text: "b" }] }] },
  ]);

/** The arguments of a call after they have been an object, and what was reported. */
function through(codec: typeof msgstyle | typeof genstyle | typeof chatstyle, text: string) {
  const paths: string[] = [];
  const wire = codec.request.encode(
    calling(text),
    (path) => path.startsWith("/messages") && paths.push(path),
  ) as JsonObject;
  const [part] = codec.request.decode(wire as never).messages[1]?.parts ?? [];
  return { text: part?.type === "call" ? part.arguments : undefined, paths };
}

const codecs = [
  ["msgstyle", msgstyle],
  ["genstyle", genstyle],
] as const;
const place = ["/messages/1/parts/0/arguments"];

test.each([...codecs, ["chatstyle", chatstyle] as const])(
  "arguments come back from %s as they were",
  (_, codec) => {
    const word = fc.constantFrom("_raw", "_value", "raw", "value", "$raw", "a");
    const plain = fc.dictionary(word, fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxKeys: 2 });
    const odd = fc.constantFrom("GET /", '{"a":', '"text"', "[1,2]", "7", "true", '{"_raw":"GET /"}');
    fc.assert(
      fc.property(
        fc.oneof(
          plain.map((value) => JSON.stringify(value)),
          odd,
        ),
        (text) => {
          expect(through(codec, text)).toEqual({ text, paths: [] });
        },
      ),
    );
  },
);

test.each(codecs)("%s reports what an object cannot keep", (_, codec) => {
  expect(through(codec, "null")).toEqual({ text: "{}", paths: place });
  expect(through(codec, '{"n":0.12345678901234567890}').paths).toEqual(place);
});

test("a reply reports what an object cannot keep", () => {
  const paths: string[] = [];
  const { step } = genstyle.reply.encode({ id: "x", model: "m", created: 1 }, (path) => paths.push(path));
  step({ type: "open", index: 0, part: { type: "call", id: "a", name: "f" } });
  step({ type: "delta", index: 0, text: '{"n":0.12345678901234567890}' });
  step({ type: "close", index: 0 });
  expect(paths).toEqual(["/choices/0/parts/0/arguments"]);
});

test.each(codecs)("many ids are looked through once by %s", (_, codec) => {
  const ids = Array.from({ length: 80_000 }, (_, i) => 90_000_000_000_000_000n + BigInt(i));
  for (const text of [`{"ids":[${ids.join(",")}]}`, `{"ids":["${ids.join('","')}"]}`])
    expect(through(codec, text)).toEqual({ text, paths: [] });
});

test.each(codecs)("arguments that are nested too deep to be written again stay text in %s", (_, codec) => {
  const nested = (depth: number, within: string): string =>
    `${"[".repeat(depth)}${within}${"]".repeat(depth)}`;
  for (const depth of [256, 257, 100_000])
    for (const within of ["", "1234567890123456789", '"]"', '"\\"["']) {
      const text = nested(depth, within);
      expect(through(codec, text)).toEqual({ text, paths: [] });
      expect(parseArguments(text) === undefined).toBe(depth > 256);
    }
});

test("a result that is nested too deep stays text", () => {
  const text = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const { messages, ...request } = calling("{}");
  const answered = { role: "user", parts: [{ type: "result", id: "a", parts: [{ type: "text", text }] }] };
  const wire = genstyle.request.encode(
    { ...request, messages: [...messages.slice(0, 2), answered] } as TextRequest,
    () => {},
  );
  expect(JSON.stringify(wire)).toContain(JSON.stringify({ output: text }));
});

test("past calls of a chat have the JSON text of an object, whatever the model wrote", () => {
  const written = (text: string): string => {
    const { messages } = chatstyle.request.encode(calling(text), () => {}) as JsonObject;
    return JSON.stringify((messages as JsonObject[])[1]?.tool_calls).replaceAll(
      /.*"arguments":("(?:[^"\\]|\\.)*").*/g,
      "$1",
    );
  };
  for (const text of ['{"plan":[{"st', "GET /", "[1,2]", '"text"', "7", "null"])
    expect(JSON.parse(JSON.parse(written(text)) as string)).toEqual(expect.any(Object));
  const spaced = '{ "n": 9007199254740993, "n": 1.0 }';
  expect(JSON.parse(written(spaced))).toBe(spaced);
});
