import { genstyle, type JsonObject, msgstyle, type TextRequest } from "@manifold/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asked } from "./asked.ts";

const calling = (text: string): TextRequest =>
  asked([
    { role: "user", parts: [{ type: "text", text: "hi" }] },
    { role: "assistant", parts: [{ type: "call", id: "a", name: "f", arguments: text }] },
    { role: "user", parts: [{ type: "result", id: "a", parts: [{ type: "text", text: "b" }] }] },
  ]);

/** The arguments of a call after they have been an object, and what was reported. */
function through(codec: typeof msgstyle | typeof genstyle, text: string) {
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

test.each(codecs)("arguments come back from %s as they were", (_, codec) => {
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
});

test.each(codecs)("what an object cannot keep is told by %s", (_, codec) => {
  expect(through(codec, "null")).toEqual({ text: "{}", paths: place });
  expect(through(codec, '{"n":0.12345678901234567890}').paths).toEqual(place);
});

test("a reply tells it as well", () => {
  const paths: string[] = [];
  const { step } = genstyle.reply.encode({ id: "x", model: "m", created: 1 }, (path) => paths.push(path));
  step({ type: "open", index: 0, part: { type: "call", id: "a", name: "f" } });
  step({ type: "delta", index: 0, text: '{"n":0.12345678901234567890}' });
  step({ type: "close", index: 0 });
  expect(paths).toEqual(["/choices/0/parts/0/arguments"]);
});
