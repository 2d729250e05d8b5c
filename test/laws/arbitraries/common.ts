import type { Protocol } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import {
  type AssistantPart,
  type Extra,
  protocolNames,
  type Seal,
  type TextPart,
} from "@manifold-gateway/core/ir";
import fc from "fast-check";

/** What generated requests and replies share: what real ones hold, in the normal form that decoders produce. */

export const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 3 });
/** A record whose `undefined` members are absent. */
export const sparse = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(members).map((record) => {
    for (const key of Object.keys(record) as (keyof T)[]) if (record[key] === undefined) delete record[key];
    return record as T;
  });

export const words = fc
  .array(
    fc.constantFrom(
      "the",
      "weather",
      "in",
      "Oslo",
      "é",
      "漢字",
      "🙂",
      '"quoted"',
      "back\\slash",
      "\n",
      "{",
      "}",
      "\u2028",
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((list) => list.join(" "))
  .filter((text) => text.trim() === text);
export const protocol = fc.constantFrom(...protocolNames);
/** What upstreams hand out: base64 that means nothing to anybody else. */
export const sealed = (...issuers: Protocol[]): fc.Arbitrary<Seal> =>
  fc.record({
    protocol: fc.constantFrom(...issuers),
    value: fc.base64String({ minLength: 8, maxLength: 40 }).map((text) => text.padEnd(8, "A")),
  });
export const extra: fc.Arbitrary<Extra> = fc.record({
  protocol: protocol.filter((name) => name !== "native"),
  fields: fc.constantFrom<Extra["fields"]>(
    { x_note: "n" },
    { x_nested: { a: [1, true] } },
    { x_a: 1, "x/b~": "two" },
  ),
});
export const cache = fc.constantFrom({}, { ttl: "5m" as const }, { ttl: "1h" as const });

/** Content that only one protocol knows, as its wire would spell it. */
export const unknownPart = protocol
  .filter((name) => name !== "native")
  .map((name) => ({
    type: "opaque" as const,
    protocol: name,
    value: (name === "genstyle" ? { xUnknown: { a: 1 } } : { type: "x_unknown", a: 1 }) as Json,
  }));

export const text: fc.Arbitrary<TextPart> = sparse<TextPart>({
  type: fc.constant("text"),
  text: words,
  cache: maybe(cache),
  extra: maybe(extra),
});
export const saidText: fc.Arbitrary<TextPart> = words.map((said) => ({ type: "text", text: said }));
export const callArguments = fc.constantFrom(
  "{}",
  '{"city":"Oslo"}',
  '{"n":9007199254740993}',
  '{"a": 1.0}',
  '{"a":[{"b":null}]}',
);
/** What a model thought: pieces with seals of one issuer, or one piece without. */
export const thoughts = (...issuers: Protocol[]): fc.Arbitrary<AssistantPart[]> =>
  fc.oneof(
    fc.constant<AssistantPart[]>([]),
    words.map((said): AssistantPart[] => [{ type: "reasoning", text: said }]),
    fc.constantFrom(...issuers).chain((issuer) =>
      fc.array(
        fc.record<AssistantPart & { type: "reasoning" }>({
          type: fc.constant("reasoning"),
          text: fc.oneof(words, fc.constant("")),
          seal: sealed(issuer),
        }) as fc.Arbitrary<AssistantPart>,
        { minLength: 1, maxLength: 2 },
      ),
    ),
  );
