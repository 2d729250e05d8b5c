import fc from "fast-check";
import { expect, it } from "vitest";
import { toTrouble } from "../../../packages/providers/src/adapters/job-error.ts";

const key = "secret-of-the-provider";
const line = { service: { key } } as unknown as Parameters<typeof toTrouble>[2];
const messageOf = (message: string): string =>
  toTrouble({ codes: [] }, { message, status: 400 }, line).message;

it("a refusal that quotes a prompt of a million spaces is cleaned at once", () => {
  const spaces = " ".repeat(1_000_000);
  expect(messageOf(`Invalid prompt: ${spaces}x`)).toBe("Invalid prompt:");
  expect(messageOf(`${spaces}Invalid prompt.`)).toBe("The provider gave no reason.");
});

it("a cleaned message has no key, no address and no request id of the provider, wherever they stand", () => {
  const piece = fc.constantFrom(key, " ", "a", "\t", "Request id: req_1.", "https://a.test/b ", "\n");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 3_000 }), (pieces) => {
      const message = messageOf(pieces.join(""));
      expect(message).not.toMatch(/secret|https:|request id/i);
      expect(message.length).toBeLessThanOrEqual(1_000);
    }),
    { numRuns: 50 },
  );
});
