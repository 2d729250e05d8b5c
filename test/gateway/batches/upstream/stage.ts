import type { GatewayOptions } from "@manifold-gateway/gateway";
import type { Provider, ProviderBatches, UpstreamProtocol } from "@manifold-gateway/providers";
import { costOf } from "@manifold-gateway/store";
import type { Json } from "../../../support/caller.ts";
import { price, textProviders } from "../../../support/text.ts";
import { until } from "../../../support/until.ts";
import { type BatchStage, quick } from "../stage.ts";

export const MESSAGES = "/api/msgstyle/v1/messages/batches";

const batched: readonly UpstreamProtocol[] = ["chatstyle", "msgstyle", "responses"];

/** The providers of text, those of which some have batches of their own. */
export const providersWith =
  (own: Partial<ProviderBatches> = {}) =>
  (origin: string): Map<string, Provider> =>
    new Map(
      [...textProviders(origin)].map(([id, provider]) => {
        const protocol = id as UpstreamProtocol;
        const batches = { protocols: [protocol], factor: 0.5, ...own };
        return [id, batched.includes(protocol) ? { ...provider, batches } : provider];
      }),
    );

/** Short pauses between looks at a provider's batch. */
export const upstreamLimits = {
  ...quick,
  upstream: {
    ...{ bytes: 1024 * 1024, age: 60_000, poll: { initial: 5, max: 10 } },
    ...{ call: 600_000, results: 3_600_000, lost: 100, grace: 3 * 3_600_000, removal: 24 * 3_600_000 },
  },
} satisfies NonNullable<NonNullable<GatewayOptions["media"]>["batches"]>;

const half = { input: price.input / 2, output: price.output / 2 };

/** What the provider is owed, in micro-USD: for what its batches have run, and for the rest. */
export function truth({ simulator }: Pick<BatchStage, "simulator">): { batches: number; others: number } {
  const due = { batches: 0, others: 0 };
  for (const { batch, usage } of simulator.ledger.query({ operation: "generate" })) {
    const counts = { input: usage.input, output: usage.output, requests: 1 };
    if (batch === undefined) due.others += costOf(counts, price);
    else due.batches += costOf(counts, half);
  }
  return due;
}

export const messageOf = (name: string, content = "Say hello.", model = "sim-msgstyle"): object => ({
  custom_id: name,
  params: { model, max_tokens: 8, messages: [{ role: "user", content }] },
});

/** The results of a batch of messages, once it has ended. */
export async function messagesEnded(h: BatchStage, id: string): Promise<{ batch: Json; results: Json[] }> {
  const batch = await until(
    () => h.json(`${MESSAGES}/${id}`),
    ({ processing_status: status }) => status === "ended",
  );
  const text = await (await h.call(`${MESSAGES}/${id}/results`)).text();
  return {
    batch,
    results: text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

/** The records of one look. */
const PAGE = 1_000;

/** The charges of an account, in micro-USD: of what providers' batches have answered, and of the rest. */
export async function charged({
  store,
}: Pick<BatchStage, "store">): Promise<{ batches: number; others: number }> {
  const sums = { batches: 0, others: 0 };
  for (let offset = 0, more = true; more; offset += PAGE) {
    const { results } = await store.generations.list({ accountId: "acc" }, { offset, limit: PAGE });
    for (const { cost = 0, route } of results)
      sums[route?.batch === undefined ? "others" : "batches"] += cost;
    more = results.length === PAGE;
  }
  return sums;
}
