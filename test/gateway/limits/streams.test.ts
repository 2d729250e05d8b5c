import { Refusal } from "@manifold-gateway/gateway";
import { lookupHash } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStreams } from "../../../packages/gateway/src/limits/streams.ts";
import { startStage } from "../../support/stage.ts";

describe("streams of one key", () => {
  it("streams of one key are counted from the first to the last of each, whatever order they end in", async () => {
    const most = 3;
    const step = fc.record({ key: fc.constantFrom("a", "b"), ends: fc.boolean(), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const streams = createStreams(most);
        const open: Record<string, ((fails: boolean) => Promise<unknown>)[]> = { a: [], b: [] };
        for (const { key, ends, fails } of steps) {
          const own = open[key]!;
          const free = own.length < most;
          if (ends) {
            await own.shift()?.(fails);
            continue;
          }
          let began = false;
          let finish = (_: boolean): void => {};
          const work = () =>
            new Promise<void>((resolve, reject) => {
              began = true;
              finish = (failed) => (failed ? reject(new Error("cut")) : resolve());
            });
          const running = streams.run({ accountId: "acc", keyId: key }, work);
          if (!free) await expect(running).rejects.toThrow(Refusal);
          else
            own.push(async (failed) => {
              finish(failed);
              expect(await running.then(() => "ended", String)).toBe(failed ? "Error: cut" : "ended");
            });
          expect(began).toBe(free);
        }
        for (const ends of Object.values(open)) for (const end of ends) await end(false);
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
      const ask = (content: string, init?: RequestInit, stream = true) =>
        h.call(
          "/api/chatstyle/v1/chat/completions",
          { model: "sim-chatstyle", stream, messages: [{ role: "user", content }] },
          init,
        );
      const long = `[[fault:slow=20]] ${"many words ".repeat(10)}`;
      const running = [await ask(long), await ask(long)];
      const refused = await ask("hi");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(await refused.json()).toMatchObject({
        errors: [expect.stringContaining("2 open streams")],
        status: 429,
        success: false,
        error: { code: "too_many_streams" },
      });
      expect((await ask("hi", undefined, false)).status).toBe(200);
      expect((await ask("hi", { headers: { "x-api-key": other } })).status).toBe(200);
      for (const response of running) expect(await response.text()).toContain("[DONE]");
      expect((await ask("hi")).status).toBe(200);
      await h.settled();
      expect(h.simulator.ledger.entries).toHaveLength(5);
      expect(await h.store.money.audit()).toEqual([]);
    } finally {
      await h.close();
    }
  });
});
