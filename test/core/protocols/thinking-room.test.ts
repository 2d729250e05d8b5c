import { codecs } from "@manifold-gateway/core";
import { efforts } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ignoreLosses } from "../../../packages/core/src/ir/loss.ts";
import { toObject } from "../../../packages/core/src/json/json.ts";

const traits = { thinking: ["manual", "off"], modelFields: ["thinking"] } as const;
const request = {
  model: "m",
  stream: false,
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
} as const;

test.each(["msgstyle", "conversestyle"] as const)(
  "a budget that an effort becomes leaves room for an answer: %s",
  (protocol) => {
    const budgetOf = (maxTokens: number, reasoning: object): number | undefined => {
      const asked = { ...request, messages: [...request.messages], params: { maxTokens }, reasoning };
      const wire = toObject(codecs[protocol].request.encode(asked as never, ignoreLosses, traits as never));
      const { thinking } = toObject(wire.additionalModelRequestFields ?? wire);
      return toObject(thinking).budget_tokens as number | undefined;
    };
    fc.assert(
      fc.property(fc.integer({ min: 1025, max: 64_000 }), fc.constantFrom(...efforts), (limit, effort) => {
        const budget = budgetOf(limit, { effort }) ?? 0;
        expect(budget).toBeGreaterThanOrEqual(1024);
        expect(budget).toBeLessThanOrEqual(Math.max(1024, limit - Math.min(4096, Math.floor(limit / 2))));
      }),
    );
    expect(budgetOf(3000, { mode: "on", budget: 9000 })).toBe(2999);
    expect(budgetOf(1024, { effort: "high" })).toBeUndefined();
  },
);
