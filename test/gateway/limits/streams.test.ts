import { Refusal } from "@manifold-gateway/gateway";
import { lookupHash } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStreams } from "../../../packages/gateway/src/limits/streams.ts";
import { startStage } from "../../support/stage.ts";

describe("streams of one key", () => {
  it("streams of one key are counted from the first to the last of each, whatever order they end in", () => {
    const most = 3;
    const step = fc.record({ key: fc.constantFrom("a", "b"), ends: fc.option(fc.nat(most - 1)) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const streams = createStreams(most);
        const open: Record<string, (() => void)[]> = { a: [], b: [] };
        for (const { key, ends } of steps) {
          const own = open[key]!;
          const take = () => streams.take({ accountId: "acc", keyId: key });
          if (ends !== null) for (const release of own.splice(ends, 1)) release();
          else if (own.length < most) own.push(take());
          else expect(take).toThrow(Refusal);
        }
      }),
    );
  });

  it("streams above the limit are refused in the envelope, unbilled and unsent, until one has ended", async () => {
    const h = await startStage({ limits: { streams: 2 } });
    try {
      const other = "another-key-0123456789";
      await h.store.keys.create({
        id: "other",
        accountId: "acc",
        name: "other",
        prefix: "another",
        hash: lookupHash(other),
        at: 1,
      });
      const ask = (content: string, init?: RequestInit, stream = true, model = "sim-chatstyle") =>
        h.call(
          "/api/chatstyle/v1/chat/completions",
          { model, stream, messages: [{ role: "user", content }] },
          init,
        );
      const before = 3;
      // Streams that are refused, by the service or by the provider, give back their slots.
      for (let i = 0; i < before; i++) {
        expect((await ask("hi", undefined, true, "unknown")).status).toBe(400);
        expect((await ask("[[fault:status=400]]")).status).toBe(400);
      }
      const long = `[[fault:slow=20]] ${"many words ".repeat(10)}`;
      const running = [await ask(long), await ask(long)];
      const refused = await ask("hi");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(await refused.json()).toMatchObject({
        errors: [expect.stringMatching(/open streams of this .*, 2, is reached/)],
        status: 429,
        success: false,
        error: { code: "too_many_streams" },
      });
      expect((await ask("hi", undefined, false)).status).toBe(200);
      expect((await ask("hi", { headers: { "x-api-key": other } })).status).toBe(200);
      for (const response of running) expect(await response.text()).toContain("[DONE]");
      expect((await ask("hi")).status).toBe(200);
      await h.settled();
      expect(h.simulator.ledger.entries).toHaveLength(before + 5);
      expect(await h.store.money.audit()).toEqual([]);
    } finally {
      await h.close();
    }
  });
});
