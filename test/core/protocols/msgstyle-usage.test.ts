import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { expect, test } from "vitest";
import { countUsage } from "../../../packages/core/src/protocols/msgstyle/decode-usage.ts";

const counted = (...wires: JsonObject[]) => wires.map(countUsage()).at(-1)?.usage;
const pass = (
  type: Json,
  input_tokens: number,
  output_tokens: number,
  more: JsonObject = {},
): JsonObject => ({
  type,
  input_tokens,
  output_tokens,
  ...more,
});
const message = pass("message", 23_000, 1_000);
const sums = { input_tokens: 23_000, output_tokens: 1_000 };

test("the usage of a pass beside the message is added to the sums", () => {
  const iterations = [pass("compaction", 180_000, 3_500), message];
  expect(counted({ ...sums, iterations })).toEqual({ input: 203_000, output: 4_500 });
});

test("the usage of a pass beside the message is added with its cache counts", () => {
  const cache = {
    cache_read_input_tokens: 50,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
  };
  const usage = counted({
    ...sums,
    cache_read_input_tokens: 7,
    iterations: [pass("other", 100, 1, cache), message],
  });
  expect(usage).toEqual({ input: 23_187, output: 1_001, cacheRead: 57, cacheWrite: 30, cacheWriteLong: 10 });
});

test("the latest list of passes counts, and stays where a later chunk has none", () => {
  const early = { ...sums, output_tokens: 1, iterations: [pass("compaction", 5, 5)] };
  const late = { output_tokens: 1_000, iterations: [pass("compaction", 180_000, 3_500), message] };
  expect(counted(early, late, { output_tokens: 1_000 })).toEqual({ input: 203_000, output: 4_500 });
});

test.each([[[message, message]], [[pass(null, 9, 9), 3, "x", null]], [{ type: "compaction" }], [null]])(
  "no usage is added for %j",
  (iterations) => {
    expect(counted({ ...sums, iterations } as JsonObject)).toEqual({ input: 23_000, output: 1_000 });
  },
);
