import type {
  AttemptWatch,
  Metrics,
  ObservedAttempt,
  Observer,
  Settled,
  SettledJob,
} from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { type Counts, toUsd, UNITS, unitTerms } from "@manifold-gateway/store";
import { collectDefaultMetrics, Registry } from "prom-client";
import { timeCommits } from "./commit-timing.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { showState, type WatchedGateway, type WatchedStore } from "./state.ts";

/** Counts and durations of one process. */
export interface Meter {
  observer: Observer;
  registry: Registry;
  text(): Promise<Metrics>;
  /** Adds metrics of the state of a gateway and its store, computed whenever the metrics are read. */
  watch(gateway: WatchedGateway, store?: WatchedStore): void;
  /** Wraps a store to time its commits. */
  time(store: Store): Store;
}

/** Creates a meter that shares nothing with other meters of the process. All its samples have these labels. */
export function createMeter(
  labels: Record<string, string> = {},
  now: () => number = () => performance.now(),
): Meter {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  const metrics = createRequestMetrics(registry);

  const charge = (model: string, provider: string, { status, cost: micro, price = {} }: Charge): void => {
    if (micro > 0) metrics.cost.inc({ model, provider }, toUsd(micro));
    else if (status === "succeeded" && Object.values(price).some((rate) => rate > 0))
      metrics.uncharged.inc({ model, provider });
  };

  const settled = (generation: Settled): void => {
    const { model, modality, status, usage, route } = generation;
    const way = route as { provider?: string; entry?: string; losses?: Loss[]; replyLosses?: Loss[] };
    const { provider = "", entry = "" } = way;
    metrics.generations.inc({ model, provider, entry, modality, status });
    charge(model, provider, generation);
    for (const kind of UNITS) {
      const count = (usage as Counts | undefined)?.[kind] ?? 0;
      if (count > 0)
        (unitTerms(kind).per === 1 ? metrics.toolCalls : metrics.tokens).inc(
          { model, provider, kind },
          count,
        );
    }
    for (const { why } of way.losses ?? []) metrics.losses.inc({ model, provider, side: "request", why });
    for (const { why } of way.replyLosses ?? []) metrics.losses.inc({ model, provider, side: "reply", why });
  };

  const attempt = ({ provider, operation }: ObservedAttempt): AttemptWatch => {
    const called = now();
    metrics.attemptsInFlight.inc({ provider });
    const end = (outcome: string): void => {
      metrics.attemptsInFlight.dec({ provider });
      metrics.attempts.inc({ provider, operation, outcome });
      metrics.attemptTime.observe({ provider }, (now() - called) / 1000);
    };
    return {
      answered(status) {
        if (status === 401 || status === 402) metrics.denials.inc({ provider, status });
        end(String(status));
      },
      failed: end,
    };
  };

  return {
    observer: {
      started({ surface, method, route }) {
        const began = now();
        metrics.inFlight.inc({ surface });
        return {
          settled,
          guarded: ({ guard, phase, decision }) => metrics.guardDecisions.inc({ guard, phase, decision }),
          cached({ saved }) {
            metrics.cachedAnswers.inc({});
            metrics.cachedSavings.inc({}, saved / 1_000_000);
          },
          unpriced: ({ provider, item }) => metrics.unpriced.inc({ provider, what: item }),
          impossible: ({ provider, figure }) => metrics.impossible.inc({ provider, figure }),
          firstByte: () => metrics.firstByte.observe({ surface, route }, (now() - began) / 1000),
          attempt,
          ended(status) {
            metrics.inFlight.dec({ surface });
            metrics.requests.inc({ surface, method, route, status });
            metrics.duration.observe({ surface, route }, (now() - began) / 1000);
          },
        };
      },
      delivered: ({ endpoint, type, outcome }) => metrics.deliveries.inc({ endpoint, type, outcome }),
      stepped({ kind, model, modality, entry: { id: entry, provider } = { id: "", provider: "" } }) {
        return {
          attempt,
          settled(end) {
            const { status, durationMs, orphan } = end;
            if (modality) metrics.generations.inc({ model, provider, entry, modality, status });
            charge(model, provider, end);
            metrics.jobTime.observe({ kind, provider, status }, durationMs / 1000);
            if (orphan) metrics.orphans.inc({ kind, provider });
          },
        };
      },
    },
    registry,
    text: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    watch: (gateway, store) => showState(registry, gateway, store),
    time: (store) => ({
      ...store,
      money: { ...store.money, ...timeCommits(store.money, now, metrics.commits) },
    }),
  };
}

type Charge = Pick<Settled | SettledJob, "status" | "cost" | "price">;

interface Loss {
  why: string;
}
