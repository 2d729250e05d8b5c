import { randomBytes } from "node:crypto";
import type { Store } from "@manifold-gateway/store";

/** Generations in flight, so that a commit holds hundreds. */
const AT_ONCE = 2_000;

const price = { input: 1_000_000, output: 2_000_000 };
const request = { model: "bench", temperature: 0.5, max_tokens: 512 };
const used = { requests: 1, input: 500, output: 180 };
const usage = { ...used, promptTokens: 500, completionTokens: 180, totalTokens: 680 };
const attempt = {
  provider: "same",
  name: "bench",
  protocol: "chatstyle",
  status: 200,
  firstByteMs: 3,
  ms: 12,
};
const route = { provider: "same", name: "bench", entry: "e08ee221111", attempts: [attempt] };

/** Records so many generations that ended well, as requests do, of the accounts in turn. */
export async function fill(store: Store, count: number, accounts: number): Promise<void> {
  let left = count;
  const record = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const account = left % accounts;
      const accountId = `acc-${account}`;
      const at = Date.now();
      const id = at.toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
      await store.money.reserve({
        generation: {
          ...{ id, accountId, keyId: `key-${account}`, modality: "text", model: "bench", request, price },
          surface: "chatstyle",
        },
        ...{ amount: 1_700, at, policy: "threshold", dispatched: true },
      });
      const end = { id, accountId, status: "succeeded", durationMs: 12, route, usage, cost: 860 } as const;
      await store.money.settle(end);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, record));
}
