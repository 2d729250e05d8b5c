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

test.each([
  [undefined, 512],
  [[128, 32_768], 128],
] as const)(
  "an effort's budget is part of the output limit on the generate-content wire: %j",
  (budgets, least) => {
    const budgetOf = (params: object, reasoning: object): number => {
      const asked = { ...request, messages: [...request.messages], params, reasoning };
      const encode = codecs.genstyle.request.encode;
      const wire = encode(asked as never, ignoreLosses, (budgets ? { budgets } : {}) as never);
      return toObject(toObject(toObject(wire).generationConfig).thinkingConfig).thinkingBudget as number;
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64_000 }), fc.constantFrom(...efforts), (maxTokens, effort) => {
        const budget = budgetOf({ maxTokens }, { effort });
        const room = maxTokens - Math.min(4096, Math.floor(maxTokens / 2));
        expect(budget).toBe(Math.max(least, Math.min(room, budgetOf({}, { effort }))));
      }),
    );
    // The caller's own budget is its own decision.
    expect(budgetOf({ maxTokens: 3000 }, { mode: "on", budget: 9000 })).toBe(9000);
  },
);
