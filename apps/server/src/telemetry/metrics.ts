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
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { timeCommits } from "./commit-timing.ts";
import { showState, type WatchedGateway, type WatchedStore } from "./state.ts";
import { Tally } from "./tally.ts";

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

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const COMMIT = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Buckets for work that takes minutes. */
const MINUTES = [...SECONDS, 1200, 3600];

/** Creates a meter that shares nothing with other meters of the process. All its samples have these labels. */
export function createMeter(
  labels: Record<string, string> = {},
  now: () => number = () => performance.now(),
): Meter {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  /** A counter or a gauge whose numbers a request changes. */
  const tally = <L extends string>(
    Metric: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    labelNames: L[],
  ) => {
    const numbers = new Tally(labelNames);
    new Metric<L>({
      ...{ name: `manifold_${name}`, help, labelNames, registers },
      collect() {
        numbers.fill(this);
      },
    });
    return numbers;
  };
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    tally(Counter, name, help, labelNames);
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets = SECONDS) =>
    new Histogram({ name: `manifold_${name}`, help, labelNames, buckets, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    tally(Gauge, name, help, labelNames);

  const requests = counter("requests_total", "Requests by route and status.", [
    "surface",
    "method",
    "route",
    "status",
  ]);
  const inFlight = gauge("requests_in_flight", "Requests that have not ended.", ["surface"]);
  const duration = histogram("request_duration_seconds", "Requests, to the end of the response.", [
    "surface",
    "route",
  ]);
  const firstByte = histogram("first_byte_seconds", "Requests, to the response headers.", [
    "surface",
    "route",
  ]);
  const attempts = counter("attempts_total", "Calls to providers by outcome: a status or a fault.", [
    "provider",
    "operation",
    "outcome",
  ]);
  const denials = counter(
    "provider_denials_total",
    "Calls that a provider refused because of our credential or our credit there.",
    ["provider", "status"],
  );
  const attemptTime = histogram("attempt_seconds", "Calls to providers, to the response headers.", [
    "provider",
  ]);
  const calls = gauge("attempts_in_flight", "Calls to providers whose response has not begun.", ["provider"]);
  const generations = counter("generations_total", "Generations by outcome.", [
    "model",
    "provider",
    "entry",
    "modality",
    "status",
  ]);
  const tokens = counter("tokens_total", "Tokens; cache and reasoning are included in input and output.", [
    "model",
    "provider",
    "kind",
  ]);
  const toolCalls = counter(
    "tool_calls_total",
    "Calls of tools that the provider runs, as it counted them.",
    ["model", "provider", "kind"],
  );
  const guardDecisions = counter("guard_decisions_total", "Decisions of guards.", [
    "guard",
    "phase",
    "decision",
  ]);
  const cachedAnswers = counter("cached_answers_total", "Answers from the cache of answers.", []);
  const cachedSavings = counter(
    "cached_savings_usd_total",
    "US dollars that answers from the cache saved.",
    [],
  );
  const unpriced = counter(
    "unpriced_answers_total",
    "Responses that name a model, a mode or calls of tools without a price here.",
    ["provider", "what"],
  );
  const impossible = counter(
    "impossible_usage_total",
    "Figures of tokens and calls that cannot be, which were estimated instead.",
    ["provider", "figure"],
  );
  const cost = counter("cost_usd_total", "Cost of generations in US dollars.", ["model", "provider"]);
  const uncharged = counter(
    "generations_uncharged_total",
    "Generations that succeeded at a price above zero but cost nothing.",
    ["model", "provider"],
  );
  const losses = counter(
    "losses_total",
    "Parts that the provider's protocol, or the caller's, could not express.",
    ["model", "provider", "side", "why"],
  );
  const commits = histogram(
    "store_commit_seconds",
    "Writes that a generation waits for.",
    ["operation"],
    COMMIT,
  );
  const jobTime = histogram(
    "job_seconds",
    "Jobs, from creation to end.",
    ["kind", "provider", "status"],
    MINUTES,
  );
  const orphans = counter(
    "jobs_orphaned_total",
    "Jobs on which a provider may have worked after contact was lost.",
    ["kind", "provider"],
  );

  const deliveries = counter(
    "webhook_deliveries_total",
    "Tries to deliver events to webhooks by what came of them: a status, or a fault.",
    ["endpoint", "type", "outcome"],
  );

  const charge = (model: string, provider: string, { status, cost: micro, price = {} }: Charge): void => {
    if (micro > 0) cost.inc({ model, provider }, toUsd(micro));
    else if (status === "succeeded" && Object.values(price).some((rate) => rate > 0))
      uncharged.inc({ model, provider });
  };

  const settled = (generation: Settled): void => {
    const { model, modality, status, usage, route } = generation;
    const way = route as { provider?: string; entry?: string; losses?: Loss[]; replyLosses?: Loss[] };
    const { provider = "", entry = "" } = way;
    generations.inc({ model, provider, entry, modality, status });
    charge(model, provider, generation);
    for (const kind of UNITS) {
      const count = (usage as Counts | undefined)?.[kind] ?? 0;
      if (count > 0) (unitTerms(kind).per === 1 ? toolCalls : tokens).inc({ model, provider, kind }, count);
    }
    for (const { why } of way.losses ?? []) losses.inc({ model, provider, side: "request", why });
    for (const { why } of way.replyLosses ?? []) losses.inc({ model, provider, side: "reply", why });
  };

  const attempt = ({ provider, operation }: ObservedAttempt): AttemptWatch => {
    const called = now();
    calls.inc({ provider });
    const end = (outcome: string): void => {
      calls.dec({ provider });
      attempts.inc({ provider, operation, outcome });
      attemptTime.observe({ provider }, (now() - called) / 1000);
    };
    return {
      answered(status) {
        if (status === 401 || status === 402) denials.inc({ provider, status });
        end(String(status));
      },
      failed: end,
    };
  };

  return {
    observer: {
      started({ surface, method, route }) {
        const began = now();
        inFlight.inc({ surface });
        return {
          settled,
          guarded: ({ guard, phase, decision }) => guardDecisions.inc({ guard, phase, decision }),
          cached({ saved }) {
            cachedAnswers.inc({});
            cachedSavings.inc({}, saved / 1_000_000);
          },
          unpriced: ({ provider, item }) => unpriced.inc({ provider, what: item }),
          impossible: ({ provider, figure }) => impossible.inc({ provider, figure }),
          firstByte: () => firstByte.observe({ surface, route }, (now() - began) / 1000),
          attempt,
          ended(status) {
            inFlight.dec({ surface });
            requests.inc({ surface, method, route, status });
            duration.observe({ surface, route }, (now() - began) / 1000);
          },
        };
      },
      delivered: ({ endpoint, type, outcome }) => deliveries.inc({ endpoint, type, outcome }),
      stepped({ kind, model, modality, entry: { id: entry, provider } = { id: "", provider: "" } }) {
        return {
          attempt,
          settled(end) {
            const { status, durationMs, orphan } = end;
            if (modality) generations.inc({ model, provider, entry, modality, status });
            charge(model, provider, end);
            jobTime.observe({ kind, provider, status }, durationMs / 1000);
            if (orphan) orphans.inc({ kind, provider });
          },
        };
      },
    },
    registry,
    text: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    watch: (gateway, store) => showState(registry, gateway, store),
    time: (store) => ({ ...store, money: { ...store.money, ...timeCommits(store.money, now, commits) } }),
  };
}

type Charge = Pick<Settled | SettledJob, "status" | "cost" | "price">;

interface Loss {
  why: string;
}
