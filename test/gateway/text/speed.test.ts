import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const messages = [{ role: "user", content: "Say something of some length, please." }];

describe.each(PROTOCOLS)("an answer of %s", (protocol) => {
  it.each([false, true])("an answer has its speed on its record, streamed: %s", async (stream) => {
    const model = modelOf(protocol);
    const response = await h.call("/api/chatstyle/v1/chat/completions", { model, stream, messages });
    await response.text();
    await h.settled();
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    const [record] = results as unknown as [{ route: { speed: Record<string, number> } }];
    const { speed } = record.route;
    expect(speed.firstTokenMs).toBeGreaterThanOrEqual(0);
    if (stream) {
      expect(response.headers.get("x-first-token-ms")).toBeNull();
      return;
    }
    expect(response.headers.get("x-first-token-ms")).toBe(String(speed.firstTokenMs));
    // An answer that took less than a millisecond has no rate.
    const rate = response.headers.get("x-tokens-per-second") ?? undefined;
    expect(rate && Number(rate)).toBe(speed.tokensPerSecond);
    expect(speed.tokensPerSecond ?? 1).toBeGreaterThan(0);
  });
});
