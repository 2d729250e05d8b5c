import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { callsOf, type EmbedPart, embedWires, joinEmbed } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, encode, images, text } from "./kit.ts";

const { mediastyle, routerstyle } = embedWires;

describe("calls of an embedding", () => {
  const many = (count: number, parts: EmbedPart[]) => ask(...Array.from({ length: count }, () => parts));
  test.each([
    ["texts", 128, [text("a")], [128]],
    ["texts", 129, [text("a")], [128, 1]],
    ["mixed inputs", 3, images, [1, 1, 1]],
  ] as const)("mediastyle splits into calls: %s, %i", (_, count, parts, sizes) => {
    const calls = callsOf(many(count, [...parts]), mediastyle);
    expect(calls.map((call) => call.inputs.length)).toEqual(sizes);
    for (const call of calls)
      expect(encode(mediastyle, call).losses.filter((path) => /^\/inputs\/\d+$/.test(path))).toEqual([]);
  });
  test.each([
    [10, [10, 10, 5]],
    [500, [25]],
  ])(
    "a provider that takes at most %i in a call gets no more, and no more than its wire takes",
    (most, sizes) => {
      const { chatstyle } = embedWires;
      expect(callsOf(many(25, [text("a")]), chatstyle, most).map(({ inputs }) => inputs.length)).toEqual(
        sizes,
      );
      expect(callsOf(many(3, [...images]), mediastyle, most)).toHaveLength(3);
    },
  );
  test("texts among mixed inputs are sent in the same way, one a call", () => {
    expect(callsOf(ask([text("a")], images), mediastyle)).toHaveLength(2);
  });
  test.each(Object.entries(embedWires))("%s: inputs keep their order, no call is too long", (_, codec) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (count) => {
        const request = ask(...Array.from({ length: count }, (_, i) => [text(String(i))]));
        const calls = callsOf(request, codec);
        expect(calls.flatMap((call) => call.inputs)).toEqual(request.inputs);
        const most = codec.mostOf?.(request) ?? codec.most;
        for (const call of calls) expect(call.inputs.length).toBeLessThanOrEqual(most);
      }),
    );
  });
  test("the charges that a router reports are added up, and never shown to the caller", () => {
    const reply = (cost: Json) =>
      routerstyle.reply.decode({ data: [{ embedding: [1] }], usage: { prompt_tokens: 2, cost } });
    const joined = joinEmbed([reply(0.25), reply(0.5)]);
    expect(joined.usage).toEqual({ input: 4, upstreamUsd: 0.75 });
    expect(JSON.stringify(routerstyle.reply.encode(joined, ask([text("a")], [text("b")])))).not.toContain(
      "0.75",
    );
    for (const odd of [-1, "1", null]) expect(reply(odd).usage).toEqual({ input: 2 });
  });
  test.each([-1, 1.5, "9", 1e300, [9]])("a figure of %j makes the usage missing", (odd) => {
    const usageOf = (usage: JsonObject) =>
      mediastyle.reply.decode({ data: [{ embedding: [1] }], usage }).usage;
    expect(usageOf({ prompt_tokens: 9, total_tokens: 9 })).toEqual({ input: 9 });
    expect(usageOf({ total_tokens: 9 })).toEqual({ input: 9 });
    expect(usageOf({ prompt_tokens: odd, total_tokens: 9 })).toBeUndefined();
    expect(usageOf({ prompt_tokens: 9, total_tokens: odd })).toBeUndefined();
    const prompt_tokens_details = { image_tokens: odd };
    expect(usageOf({ prompt_tokens: 9, prompt_tokens_details })).toBeUndefined();
  });
});
