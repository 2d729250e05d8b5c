import {
  type AnyCodec,
  collectLosses,
  encodeRequest,
  type Loss,
  parseWire,
  readChunk,
  type TextRequest,
  translateBody,
} from "@manifold-gateway/core";
import { type Json, run, translateChunks } from "@manifold-gateway/core/codec";
import { type Part, type Reply, unfold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { every, head, pairs, readRequest } from "./fixtures.ts";

/** Compact JSON text of an object with integers of 64 bits and more on any level. */
const { args } = fc.letrec<{ value: string; list: string; args: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }).map(String),
    fc.constantFrom("0.1", "1.5", "true", "null", '"1234567890123456789"', '"\\": 1234567890123456789,"'),
    tie("list"),
    tie("args"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items}]`),
  args: fc
    .uniqueArray(fc.tuple(fc.constantFrom("id", "n", "user_id", "b", "c"), tie("value")), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 3,
    })
    .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`)}}`),
}));

const calling = (text: string): TextRequest => ({
  model: "a-model",
  stream: false,
  params: {},
  messages: [
    { role: "user", parts: [{ type: "text", text: "Hello" }] },
    { role: "assistant", parts: [{ type: "call", id: "call_0", name: "f", arguments: text }] },
    { role: "user", parts: [{ type: "result", id: "call_0", parts: [{ type: "text", text }] }] },
  ],
});
const called = (text: string): Reply => ({
  choices: [
    {
      parts: [{ type: "call", id: "call_0", name: "f", arguments: text }],
      finish: { reason: "tool_calls" },
    },
  ],
});

/** Wires and models write one text in two ways: as a value, and as a string. */
const holds = (wire: unknown, text: string): boolean =>
  [text, JSON.stringify(text).slice(1, -1)].some((spelled) => JSON.stringify(wire).includes(spelled));

/** What comes of a value that travels as text. */
const sent = (value: unknown): Json => parseWire(JSON.stringify(value)) as Json;
const isTold = (losses: readonly Loss[]): boolean => losses.some(({ why }) => why === "unsupported");
/** Whether requests of the wire have calls; replies of every wire do. */
const calls = (codec: AnyCodec): boolean => codec.protocol !== "native";
const quiet = (): void => {};

const all = [
  ...pairs,
  ...every.map((codec) => [codec.protocol, codec.protocol, codec, codec] as (typeof pairs)[number]),
].filter(([, , from]) => calls(from));

const arrived = (wire: unknown, text: string, losses: readonly Loss[]): boolean =>
  holds(wire, text) && losses.length === 0;

describe("integers of any length", () => {
  test.each(all)("integers keep every digit in the history that %s sends to %s", (_, _to, from, to) => {
    fc.assert(
      fc.property(args, (text) => {
        const wire = sent(from.request.encode(calling(text), quiet));
        const { wire: written, losses } = encodeRequest(readRequest(from, wire), to);
        const about = losses.filter(({ path }) => path.startsWith("/messages/1"));
        expect(calls(to) ? arrived(written, text, about) : isTold(about)).toBe(true);
        if (!calls(to)) return;
        const parts = readRequest(to, sent(written)).messages.flatMap(
          (message): readonly Part[] => message.parts,
        );
        expect(parts).toContainEqual(expect.objectContaining({ type: "call", arguments: text }));
        expect(parts.find(({ type }) => type === "result")).toMatchObject({
          parts: [{ type: "text", text }],
        });
      }),
      { numRuns: 60 },
    );
  });

  test.each(all)("integers keep every digit in a body of %s to %s", (_, _to, from, to) => {
    fc.assert(
      fc.property(args, (text) => {
        const body = sent(from.reply.gather(run(from.reply.encode(head, quiet), unfold(called(text)))));
        const made = translateBody(body, { from, to, head });
        expect(arrived(made.body, text, made.losses)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test.each(all)("integers keep every digit in a stream of %s to %s", (_, _to, from, to) => {
    fc.assert(
      fc.property(args, (text) => {
        const chunks = run(from.reply.encode(head, quiet), unfold(called(text)));
        const read = chunks.map((chunk) => readChunk({ data: JSON.stringify(chunk) }));
        const { losses, lose } = collectLosses();
        const written = run(translateChunks({ from, to, head, lose }), read);
        expect(arrived(written, text, losses)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
