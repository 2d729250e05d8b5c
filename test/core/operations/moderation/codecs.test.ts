import { collectLosses, ignoreLosses } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import {
  chatstyleModeration as codec,
  estimateModeration,
  type ModerationPart,
  type ModerationReply,
  type ModerationRequest,
  moderationShortfall,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
const textPart = anyText.map((text): ModerationPart => ({ type: "text", text }));
const imagePart = fc
  .oneof(
    fc.webUrl().map((url) => ({ type: "url" as const, url })),
    fc
      .base64String({ minLength: 4 })
      .map((data) => ({ type: "base64" as const, mediaType: "image/png", data })),
  )
  .map((source): ModerationPart => ({ type: "media", kind: "image", source }));
const anyRequest: fc.Arbitrary<ModerationRequest> = fc
  .oneof(
    fc.array(
      textPart.map((part) => ({ parts: [part] })),
      { minLength: 1, maxLength: 5 },
    ),
    fc.array(fc.oneof(textPart, imagePart), { minLength: 1, maxLength: 4 }).map((parts) => [{ parts }]),
  )
  .map((inputs) => ({ model: "m", inputs }));

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z/-]{0,9}$/), { minLength: 1, maxLength: 4 });
const anyReply: fc.Arbitrary<ModerationReply> = fc
  .array(
    names.chain((categories) => {
      const recordOf = <T>(value: fc.Arbitrary<T>) =>
        fc.record(Object.fromEntries(categories.map((name) => [name, value])));
      return fc.record({
        flagged: fc.boolean(),
        categories: recordOf(fc.boolean()),
        scores: recordOf(fc.float({ noNaN: true, min: 0, max: 1 })),
        inputTypes: recordOf(fc.subarray(["text", "image"])),
      });
    }),
    { minLength: 1, maxLength: 4 },
  )
  .chain((results) =>
    fc.record(
      {
        results: fc.constant(results),
        id: fc.constant("modr-1"),
        usage: fc.record({ input: fc.nat(1_000_000) }),
      },
      { requiredKeys: ["results"] },
    ),
  );

describe("moderation requests", () => {
  test("requests come back from the wire, and the wire takes them", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        const wire = codec.request.encode(request, lose);
        expect(codec.request.schema.safeParse(wire).error).toBeUndefined();
        expect(codec.request.decode(wire)).toEqual(request);
        expect(losses).toEqual([]);
      }),
    );
  });

  test.each<[Json, Json]>([
    ["a", "a"],
    [["a"], "a"],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [[{ type: "text", text: "a" }], "a"],
    [
      [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "https://a.test/x.png" } },
      ],
      [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "https://a.test/x.png" } },
      ],
    ],
  ])("an input is sent in its plainest form: %j", (input, sent) => {
    const request = codec.request.decode({ model: "m", input, extra: 1 });
    expect(codec.request.encode(request, ignoreLosses)).toEqual({ model: "m", input: sent, extra: 1 });
  });

  test.each<[JsonObject, string]>([
    [{ model: "" }, "model"],
    [{ input: undefined as never }, "input"],
    [{ input: [] }, "input"],
    [{ input: [1] }, "input"],
    [{ input: ["a", { type: "text", text: "b" }] }, "input"],
    [{ input: [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }] }, "input"],
  ])("the schema refuses %j and names %s", (more, path) => {
    const { error } = codec.request.schema.safeParse({ model: "m", input: "a", ...more });
    expect(error?.issues.map((issue) => issue.path[0])).toEqual([path]);
  });

  test("an estimate counts every part", () => {
    fc.assert(
      fc.property(anyRequest, fc.constantFrom(1, 2, 3), (request, times) => {
        const inputs = Array.from({ length: times }, () => request.inputs).flat();
        expect(estimateModeration({ ...request, inputs }).input).toBe(
          times * estimateModeration(request).input,
        );
      }),
    );
  });
});

describe("moderation replies", () => {
  const request = codec.request.decode({ model: "m", input: "a" });

  test("verdicts come back from the wire", () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        const body = codec.reply.encode(reply, request);
        expect(codec.reply.decode(body)).toEqual({ ...reply, model: "m" });
      }),
    );
  });

  test("a vendor that states no verdict has flagged what any category applies to", () => {
    const results = [{ categories: { hate: false, pii: true, none: null }, category_scores: { pii: 0.9 } }];
    expect(codec.reply.decode({ results, usage: { prompt_tokens: 4 } })).toEqual({
      results: [{ flagged: true, categories: { hate: false, pii: true }, scores: { pii: 0.9 } }],
      usage: { input: 4 },
    });
  });

  test.each<[string, Json]>([
    ["nothing", null],
    ["no verdict", { results: [] }],
    ["an empty verdict", { results: [{}] }],
    ["two verdicts", { results: [{ flagged: true }, { flagged: false }] }],
  ])("%s is no answer to one input", (_, body) => {
    expect(moderationShortfall(request, codec.reply.decode(body))).toContain("verdicts for 1 inputs");
  });
});
