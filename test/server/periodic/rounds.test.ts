import type { Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { expect, it, vi } from "vitest";
import { startRounds } from "../../../apps/server/src/periodic/rounds.ts";

it("a catalog that cannot be read is logged once, and once more when it can", async () => {
  vi.useFakeTimers();
  try {
    const messages: string[] = [];
    const log = { warn: (_: object, message: string) => void messages.push(message) } as unknown as Log;
    const store = {
      money: { heartbeat: async () => {}, recover: async () => {} },
      isOutdated: async () => false,
    } as unknown as Store;
    let isAway = true;
    const follow = async (): Promise<void> => {
      if (isAway) throw new Error("away");
    };
    const end = startRounds({ store, log, discover: async () => {}, follow }, 100);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messages).toEqual(["catalog refresh failed"]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messages).toEqual(["catalog refresh failed", "catalog refreshed again"]);
    await end();
  } finally {
    vi.useRealTimers();
  }
});
