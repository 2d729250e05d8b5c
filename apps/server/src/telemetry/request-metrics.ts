import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { Tally } from "./tally.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** Buckets for work that takes minutes. */
const MINUTES = [...SECONDS, 1200, 3600];
/** Buckets for a write to a database, in seconds. */
const WRITES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Terms {
  kind: "counter" | "gauge" | "histogram";
  /** Without `manifold_`. */
  name: string;
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
}

/** The metrics that change as requests, calls, jobs and deliveries go on. */
const METRICS = {
  requests: {
    kind: "counter",
    name: "requests_total",
    help: "Requests by route and status.",
    labels: ["surface", "method", "route", "status"],
  },
  inFlight: {
    kind: "gauge",
    name: "requests_in_flight",
    help: "Requests that have not ended.",
    labels: ["surface"],
  },
  duration: {
    kind: "histogram",
    name: "request_duration_seconds",
    help: "Requests, to the end of the response.",
    labels: ["surface", "route"],
    buckets: SECONDS,
  },
  firstByte: {
    kind: "histogram",
    name: "first_byte_seconds",
    help: "Requests, to the response headers.",
    labels: ["surface", "route"],
    buckets: SECONDS,
  },
  attempts: {
    kind: "counter",
    name: "attempts_total",
    help: "Calls to providers by outcome: a status or a fault.",
    labels: ["provider", "operation", "outcome"],
  },
  attemptTime: {
    kind: "histogram",
    name: "attempt_seconds",
    help: "Calls to providers, to the response headers.",
    labels: ["provider"],
    buckets: SECONDS,
  },
  attemptsInFlight: {
    kind: "gauge",
    name: "attempts_in_flight",
    help: "Calls to providers whose response has not begun.",
    labels: ["provider"],
  },
  denials: {
    kind: "counter",
    name: "provider_denials_total",
    help: "Calls that a provider refused because of our credential or our credit there.",
    labels: ["provider", "status"],
  },
  generations: {
    kind: "counter",
    name: "generations_total",
    help: "Generations by outcome.",
    labels: ["model", "provider", "entry", "modality", "status"],
  },
  tokens: {
    kind: "counter",
    name: "tokens_total",
    help: "Tokens; cache and reasoning are included in input and output.",
    labels: ["model", "provider", "kind"],
  },
  toolCalls: {
    kind: "counter",
    name: "tool_calls_total",
    help: "Calls of tools that the provider runs, as it counted them.",
    labels: ["model", "provider", "kind"],
  },
  guardDecisions: {
    kind: "counter",
    name: "guard_decisions_total",
    help: "Decisions of guards.",
    labels: ["guard", "phase", "decision"],
  },
  cachedAnswers: {
    kind: "counter",
    name: "cached_answers_total",
    help: "Answers from the cache of answers.",
    labels: [],
  },
  cachedSavings: {
    kind: "counter",
    name: "cached_savings_usd_total",
    help: "US dollars that answers from the cache saved.",
    labels: [],
  },
  unpriced: {
    kind: "counter",
    name: "unpriced_answers_total",
    help: "Responses that name a model, a mode or calls of tools without a price here.",
    labels: ["provider", "what"],
  },
  impossible: {
    kind: "counter",
    name: "impossible_usage_total",
    help: "Figures of tokens and calls that cannot be, which were estimated instead.",
    labels: ["provider", "figure"],
  },
  cost: {
    kind: "counter",
    name: "cost_usd_total",
    help: "Cost of generations in US dollars.",
    labels: ["model", "provider"],
  },
  uncharged: {
    kind: "counter",
    name: "generations_uncharged_total",
    help: "Generations that succeeded at a price above zero but cost nothing.",
    labels: ["model", "provider"],
  },
  losses: {
    kind: "counter",
    name: "losses_total",
    help: "Parts that the provider's protocol, or the caller's, could not express.",
    labels: ["model", "provider", "side", "why"],
  },
  commits: {
    kind: "histogram",
    name: "store_commit_seconds",
    help: "Writes that a generation waits for.",
    labels: ["operation"],
    buckets: WRITES,
  },
  jobTime: {
    kind: "histogram",
    name: "job_seconds",
    help: "Jobs, from creation to end.",
    labels: ["kind", "provider", "status"],
    buckets: MINUTES,
  },
  orphans: {
    kind: "counter",
    name: "jobs_orphaned_total",
    help: "Jobs on which a provider may have worked after contact was lost.",
    labels: ["kind", "provider"],
  },
  deliveries: {
    kind: "counter",
    name: "webhook_deliveries_total",
    help: "Tries to deliver events to webhooks by what came of them: a status, or a fault.",
    labels: ["endpoint", "type", "outcome"],
  },
} as const satisfies Record<string, Terms>;

type Metrics = typeof METRICS;

/** The metrics of one registry: numbers that are tallied, and distributions. */
export type RequestMetrics = {
  readonly [M in keyof Metrics]: Metrics[M]["kind"] extends "histogram"
    ? Histogram<Metrics[M]["labels"][number]>
    : Tally<Metrics[M]["labels"][number]>;
};

export const createRequestMetrics = (registry: Registry): RequestMetrics =>
  Object.fromEntries(
    Object.entries<Terms>(METRICS).map(([key, terms]) => [key, addMetric(registry, terms)]),
  ) as unknown as RequestMetrics;

function addMetric(registry: Registry, { kind, labels, buckets, ...terms }: Terms) {
  const name = `manifold_${terms.name}`;
  const settings = { name, help: terms.help, labelNames: [...labels], registers: [registry] };
  if (kind === "histogram") return new Histogram({ ...settings, ...(buckets && { buckets: [...buckets] }) });
  const tally = new Tally(labels);
  const Metric = kind === "counter" ? Counter : Gauge;
  new Metric({
    ...settings,
    collect() {
      tally.fill(this);
    },
  });
  return tally;
}
