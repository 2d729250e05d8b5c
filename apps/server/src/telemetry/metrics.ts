import type { EntryHealth, Gateway, Metrics, Observer, Settled } from "@manifold/gateway";
import type { Store } from "@manifold/store";
import { toUsd } from "@manifold/store";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Counts and durations of one process. */
export interface Meter {
  observer: Observer;
  text(): Promise<Metrics>;
  /** Shows how the entries and providers of a gateway are doing, at the moment that is asked for. */
  watch(gateway: Pick<Gateway, "health" | "loads">): void;
  /** A store whose commits are timed. */
  time(store: Store): Store;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const COMMIT = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const CIRCUITS: readonly EntryHealth["circuit"][] = ["closed", "half-open", "open"];
/** The writes that a generation waits for. */
const COMMITS = ["reserve", "settle", "release"] as const;

/** A meter of its own: nothing is shared with other meters of the process. */
export function createMeter(now: () => number = () => performance.now()): Meter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `manifold_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets = SECONDS) =>
    new Histogram({ name: `manifold_${name}`, help, labelNames, buckets, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name: `manifold_${name}`, help, labelNames, registers });

  const requests = counter("requests_total", "Requests by route and status.", [
    "surface",
    "method",
    "route",
    "status",
  ]);
  const inFlight = gauge("requests_in_flight", "Requests that have not ended.", ["surface"]);
  const duration = histogram("request_duration_seconds", "Requests, to their end.", ["surface", "route"]);
  const firstByte = histogram("first_byte_seconds", "Requests, to the head of their answer.", [
    "surface",
    "route",
  ]);
  const attempts = counter(
    "attempts_total",
    "Calls to providers by what came of them: a status, or a fault.",
    ["provider", "outcome"],
  );
  const attemptTime = histogram("attempt_seconds", "Calls to providers, to the head of their answer.", [
    "provider",
  ]);
  const calls = gauge("attempts_in_flight", "Calls to providers whose answer has not begun.", ["provider"]);
  const generations = counter("generations_total", "Generations by how they ended.", [
    "model",
    "provider",
    "entry",
    "modality",
    "status",
  ]);
  const tokens = counter("tokens_total", "Tokens; cache and reasoning are parts of input and output.", [
    "model",
    "provider",
    "kind",
  ]);
  const cost = counter("cost_usd_total", "What generations came to, in US dollars.", ["model", "provider"]);
  const losses = counter("losses_total", "What the provider's protocol, or the caller's, could not say.", [
    "model",
    "provider",
    "side",
    "why",
  ]);
  const commits = histogram(
    "store_commit_seconds",
    "Writes that a generation waits for.",
    ["operation"],
    COMMIT,
  );

  const settled = ({ model, modality, status, usage, cost: micro, route }: Settled): void => {
    const way = route as { provider?: string; entry?: string; losses?: Loss[]; replyLosses?: Loss[] };
    const { provider = "", entry = "" } = way;
    generations.inc({ model, provider, entry, modality, status });
    if (micro > 0) cost.inc({ model, provider }, toUsd(micro));
    for (const [kind, count] of Object.entries(usage ?? {}))
      if (typeof count === "number" && kind !== "upstreamUsd" && count > 0)
        tokens.inc({ model, provider, kind }, count);
    for (const { why } of way.losses ?? []) losses.inc({ model, provider, side: "request", why });
    for (const { why } of way.replyLosses ?? []) losses.inc({ model, provider, side: "reply", why });
  };

  return {
    observer: {
      started({ surface, method, route }) {
        const began = now();
        inFlight.inc({ surface });
        return {
          settled,
          firstByte: () => firstByte.observe({ surface, route }, (now() - began) / 1000),
          attempt({ provider }) {
            const called = now();
            calls.inc({ provider });
            const end = (outcome: string): void => {
              calls.dec({ provider });
              attempts.inc({ provider, outcome });
              attemptTime.observe({ provider }, (now() - called) / 1000);
            };
            return { answered: (status) => end(String(status)), failed: end };
          },
          ended(status) {
            inFlight.dec({ surface });
            requests.inc({ surface, method, route, status });
            duration.observe({ surface, route }, (now() - began) / 1000);
          },
        };
      },
    },
    text: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    watch(gateway) {
      new Gauge({
        name: "manifold_entry_circuit",
        help: "1 for the state that the circuit of a model entry is in.",
        labelNames: ["entry", "state"],
        registers,
        collect() {
          this.reset();
          for (const [entry, { circuit }] of gateway.health())
            for (const state of CIRCUITS) this.set({ entry, state }, Number(circuit === state));
        },
      });
      new Gauge({
        name: "manifold_provider_calls",
        help: "Calls that run, and that wait for their turn, at a provider that has a limit.",
        labelNames: ["provider", "state"],
        registers,
        collect() {
          this.reset();
          for (const [provider, { running, waiting }] of gateway.loads()) {
            this.set({ provider, state: "running" }, running);
            this.set({ provider, state: "waiting" }, waiting);
          }
        },
      });
    },
    time: (store) => ({ ...store, money: { ...store.money, ...timed(store.money, now, commits) } }),
  };
}

interface Loss {
  why: string;
}

function timed(
  money: Store["money"],
  now: () => number,
  commits: Histogram<"operation">,
): Partial<Store["money"]> {
  return Object.fromEntries(
    COMMITS.map((operation) => [
      operation,
      async (argument: never) => {
        const began = now();
        try {
          return await money[operation](argument);
        } finally {
          commits.observe({ operation }, (now() - began) / 1000);
        }
      },
    ]),
  );
}
