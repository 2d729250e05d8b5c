import fc from "fast-check";
import { expect, it } from "vitest";
import { noteFailure, readProviderError } from "../../../packages/gateway/src/generation/provider-error.ts";

type Provider = Parameters<typeof readProviderError>[1];
const provider = {
  id: "vendor",
  origin: "https://vendor.example",
  key: "sk-0123456789abcdef",
} as unknown as Provider;
const read = (text: string, status = 400) =>
  readProviderError({ attempt: 0, status, body: new TextEncoder().encode(text) }, provider);

it("a body of any depth is read without an error, since a second call does not wait for it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 8_100 }),
      fc.constantFrom('"\\u0041"', '"a"', ""),
      (depth, leaf) => {
        const error = read("[".repeat(depth) + leaf + "]".repeat(depth));
        expect(error === undefined || error.attempt === 0).toBe(true);
      },
    ),
    { examples: [[8_100, '"\\u0041"']], numRuns: 20 },
  );
});

it("a failure of any depth within a reply is noted", () => {
  let value: unknown = "a";
  for (let depth = 0; depth < 20_000; depth++) value = [value];
  const trace = { attempts: [{}], errors: undefined } as unknown as Parameters<typeof noteFailure>[0];
  const failure = { status: 502, message: "broken", raw: { value } } as unknown as Parameters<
    typeof noteFailure
  >[1];
  noteFailure(trace, failure, provider);
  expect(trace.errors).toHaveLength(1);
});

it("an escaped credential is hidden", () => {
  const escaped = [..."sk-0123456789abcdef"].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("");
  expect(read(`{"error":{"message":"key ${escaped} is wrong"}}`)?.body).not.toContain("0123456789abcdef");
});
