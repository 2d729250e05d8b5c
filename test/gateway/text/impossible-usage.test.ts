import type { Observation, Usage } from "@manifold-gateway/core";
import { billableUsage } from "@manifold-gateway/core/codec";
import { costOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputEstimate } from "../../../packages/gateway/src/generation/token-estimate.ts";
import { toJsonBody } from "../../../packages/gateway/src/http/json-body.ts";
import { defaultHoldFigures } from "../../../packages/gateway/src/limits/defaults.ts";
import {
  impossibleTokens,
  mostTokens,
  sizeOf,
  usageOf,
} from "../../../packages/gateway/src/text/impossible-usage.ts";

const price = { input: 3_000_000, cacheRead: 300_000, cacheWrite: 3_750_000, output: 15_000_000 };
const contextWindow = 200_000;

const body = fc.record({ text: fc.string({ maxLength: 200 }), tools: fc.boolean() }).map(({ text, tools }) =>
  toJsonBody({
    model: "m",
    messages: [{ role: "user", content: text }],
    ...(tools && { tools: [{ type: "function", function: { name: "f" } }] }),
  }),
);
const most = (request: ReturnType<typeof toJsonBody>) =>
  mostTokens(sizeOf(request), { capabilities: { text: { contextWindow } } }, defaultHoldFigures);

/** Counts of every size, as codecs read them: parts are within their whole. */
const count = fc.oneof(fc.nat(10), fc.nat(300_000), fc.nat(100_000_000));
const usage: fc.Arbitrary<Usage> = fc
  .tuple(count, count, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([input, output, share]) => ({
    input,
    output,
    cacheRead: Math.floor(input * share),
    reasoning: Math.floor(output * share),
  }));
const observation: fc.Arbitrary<Observation> = fc
  .record({ usage: fc.option(usage, { nil: undefined }), content: fc.nat(5_000), ends: fc.boolean() })
  .map(({ usage, content, ends }) => ({
    content,
    ...(usage && { usage }),
    ...(ends && { finish: { reason: "stop" } }),
  }));

describe("the usage that a reply is charged by", () => {
  it("figures that can be count as they are, and any other is estimated and marked", () => {
    fc.assert(
      fc.property(body, observation, (request, said) => {
        const { usage, impossible } = billableUsage(said, most(request), () => inputEstimate(request));
        const seen = Math.ceil(said.content / 4);
        if (!said.usage) {
          expect(impossible).toEqual([]);
          expect(usage?.estimated ?? true).toBe(true);
          return;
        }
        const { input, output } = said.usage;
        const { input: mostInput, output: mostOutput } = most(request);
        const readsNothing = input === 0 && (output > 0 || said.content > 0);
        const writesNothing = output === 0 && said.content > 0;
        expect(impossible).toEqual([
          ...(readsNothing || input > mostInput ? ["input"] : []),
          ...(writesNothing || output > mostOutput ? ["output"] : []),
        ]);
        const isCut = !said.finish && output < seen;
        if (impossible.length === 0 && !isCut) expect(usage).toEqual(said.usage);
        else expect(usage?.estimated).toBe(true);
        expect(usage?.input).toBe(impossible.includes("input") ? inputEstimate(request) : input);
        expect(usage?.output).toBe(impossible.includes("output") || isCut ? seen : output);
      }),
    );
  });

  it("whatever a provider reports, a reply costs no more than its request can have come to, and content is never free", () => {
    fc.assert(
      fc.property(body, observation, (request, said) => {
        const { usage } = billableUsage(said, most(request), () => inputEstimate(request));
        if (!usage) return;
        const limit = { input: most(request).input, output: most(request).output };
        expect(costOf(usage, price)).toBeLessThanOrEqual(
          costOf({ ...limit, cacheWrite: limit.input }, price) + costOf({ output: said.content }, price),
        );
        if (said.content > 0) expect(usage.output).toBeGreaterThan(0);
        if (said.content > 0) expect(usage.input).toBeGreaterThan(0);
      }),
    );
  });

  it("a request may fill its model's context twice, with tools oftener, and bring a token for each byte", () => {
    const plain = toJsonBody({ messages: [{ role: "user", content: "é" }] });
    const tooled = toJsonBody({ messages: [], tools: [] });
    expect(most(plain).input).toBe(2 * contextWindow + plain.bytes.length);
    expect(most(tooled).input).toBe(32 * contextWindow + tooled.bytes.length);
    expect(mostTokens(sizeOf(plain), {}, defaultHoldFigures).output).toBe(20_000_000);
  });

  it("is the same whether the request is measured or not", () => {
    const entry = { capabilities: { text: { contextWindow: 100 } } };
    const around = fc.nat(1_000);
    const said = fc.record({ usage: fc.record({ input: around, output: around }), content: fc.nat(400) });
    const request = fc
      .record({ text: fc.string({ maxLength: 400 }), n: fc.integer({ min: 1, max: 3 }) })
      .map(({ text, n }) => ({ request: toJsonBody({ messages: [{ role: "user", content: text }] }), n }));
    fc.assert(
      fc.property(request, fc.oneof(observation, said), ({ request, n }, said) => {
        const size = sizeOf(request, { alternatives: n, limit: undefined });
        const most = mostTokens(size, entry, defaultHoldFigures);
        const measured = billableUsage(said, most, () => inputEstimate(request));
        expect(usageOf(said, size, entry, defaultHoldFigures)).toEqual(measured);
      }),
    );
  });

  it("an estimate stays within the caller's limit, which a figure of the provider may exceed", () => {
    const entry = { capabilities: { text: { contextWindow } } };
    const asked = fc.record({ alternatives: fc.integer({ min: 1, max: 3 }), limit: fc.nat(2_000) });
    fc.assert(
      fc.property(body, observation, asked, (request, said, { alternatives, limit }) => {
        const bounded = usageOf(said, sizeOf(request, { alternatives, limit }), entry, defaultHoldFigures);
        const free = usageOf(
          said,
          sizeOf(request, { alternatives, limit: undefined }),
          entry,
          defaultHoldFigures,
        );
        const reported = free.impossible.includes("output") ? 0 : (said.usage?.output ?? 0);
        const most = Math.max(reported, limit * alternatives);
        const { usage } = free;
        const isBound = usage?.estimated && usage.output > most;
        expect(bounded).toEqual(isBound ? { ...free, usage: { ...usage, output: most } } : free);
      }),
    );
  });

  it("of recordings and speech, only figures that were reported are impossible", () => {
    const some = fc.record({ input: count, output: count }, { requiredKeys: [] });
    fc.assert(
      fc.property(body, some, (request, reported) => {
        const { input: mostInput, output: mostOutput } = most(request);
        const { input = 1, output = 0 } = reported;
        expect(impossibleTokens(reported, most(request))).toEqual([
          ...(input === 0 || input > mostInput ? ["input"] : []),
          ...(output > mostOutput ? ["output"] : []),
        ]);
      }),
    );
  });

  it("each alternative may fill the context", () => {
    const entry = { capabilities: { text: { contextWindow } } };
    const size = sizeOf(toJsonBody({ messages: [] }), { alternatives: 3, limit: undefined });
    const { output } = mostTokens(size, entry, defaultHoldFigures);
    expect(output).toBe(6 * contextWindow);
  });
});
