import { type FailureCount, sumOf, toUsd, type UsagePoint, type UsageSums } from "@manifold-gateway/store";
import { DAY, HOUR, momentOf } from "../http/moments.ts";
import type { Services } from "../ports/services.ts";
import { allEntries } from "../routing/entry-state.ts";
import { type Comparison, compareProvider } from "./compare-providers.ts";
import { type KnownEntries, knownEntries } from "./known-entries.ts";
import { percentilesOf } from "./series.ts";

/** The longest range that is shown by the hour. */
const BY_HOUR = 3 * DAY;

/** What the providers served in a range, by entry and time. */
export interface ProviderFigures {
  from: number;
  to: number;
  bucket: "hour" | "day";
  entries: KnownEntries;
  points: readonly UsagePoint[];
  failures: readonly FailureCount[];
}

/** Reads the figures of all providers; without a range those of the last 24 hours. */
export async function readFigures(
  services: Pick<Services, "now" | "store" | "wholeCatalog">,
  { from, to }: { from?: number | undefined; to?: number | undefined },
): Promise<ProviderFigures> {
  const { usage } = services.store;
  const until = Math.ceil((to ?? services.now() + 1) / HOUR) * HOUR;
  const since = Math.floor((from ?? until - DAY) / HOUR) * HOUR;
  const bucket = until - since <= BY_HOUR ? "hour" : "day";
  const range = { from: since, to: until };
  const [entries, points, failures] = await Promise.all([
    knownEntries(services),
    usage.series(range, { by: "entry", bucket }),
    usage.failures(range),
  ]);
  return { ...range, bucket, entries, points, failures };
}

/** The ids of all providers: those that are configured, and those that served. */
export const providersOf = (
  { providers }: Pick<Services, "providers">,
  { entries, points }: ProviderFigures,
): string[] => [
  ...new Set([...providers.keys(), ...points.flatMap(({ name = "" }) => entries.get(name)?.provider ?? [])]),
];

/** The points and failures of one provider. */
export function figuresOf(provider: string, figures: ProviderFigures): ProviderFigures {
  const isOfProvider = (entry = ""): boolean => figures.entries.get(entry)?.provider === provider;
  return {
    ...figures,
    points: figures.points.filter(({ name }) => isOfProvider(name)),
    failures: figures.failures.filter(({ entry }) => isOfProvider(entry)),
  };
}

/** What a provider served: its requests, its calls and their errors, its cost and its speed. */
export function toServed(sums: UsageSums, failures: readonly FailureCount[]) {
  const total = (member: "retried" | "failed"): number => failures.reduce((sum, one) => sum + one[member], 0);
  const { requests, failed, cost } = sums;
  const calls = requests + total("retried");
  const failedCalls = Math.min(calls, total("failed"));
  return {
    ...{ requests, failed, calls, failedCalls },
    ...(calls > 0 && { errorShare: Math.round((failedCalls / calls) * 10_000) / 10_000 }),
    ...{ usdCost: toUsd(cost), microCost: cost },
    ...percentilesOf(sums),
  };
}

/** The circuits of a provider's entries in this process. */
function circuitsOf(services: Pick<Services, "wholeCatalog" | "routing">, provider: string) {
  const circuits = { closed: 0, open: 0, halfOpen: 0, paused: 0 };
  const health = services.routing.breakers.all();
  for (const { id, entry } of allEntries(services)) {
    if (entry.provider !== provider) continue;
    const { circuit = "closed" } = health.get(id) ?? {};
    circuits[entry.isActive ? (circuit === "half-open" ? "halfOpen" : circuit) : "paused"] += 1;
  }
  return circuits;
}

/** One provider in a list: what it served, its speed beside that of others, and its circuits. */
export function toSummary(
  services: Pick<Services, "providers" | "routing" | "wholeCatalog">,
  provider: string,
  all: ProviderFigures,
) {
  const { points, failures } = figuresOf(provider, all);
  const configured = services.providers.get(provider);
  const compared = compareProvider(provider, all.points, all.entries);
  return {
    id: provider,
    ...(configured && { host: new URL(configured.origin).host }),
    isConfigured: configured !== undefined,
    ...toServed(sumOf(points), failures),
    ...(compared && { compared }),
    circuits: circuitsOf(services, provider),
    points: [...Map.groupBy(points, ({ at }) => at)]
      .sort(([a], [b]) => a - b)
      .map(([at, same]) => ({ at: momentOf(at), requests: sumOf(same).requests })),
  };
}
type Summary = ReturnType<typeof toSummary>;

/** The share of failed calls from which a provider or a route counts as failing. */
export const BAD_SHARE = 0.05;

/** The order of providers, worst first: open circuits, then many errors, then slower than others. */
const badness = ({ circuits, errorShare = 0, compared, requests }: Summary): number[] => [
  circuits.open > 0 ? 1 : 0,
  errorShare >= BAD_SHARE ? errorShare : 0,
  (compared as Comparison | undefined)?.ratio ?? 0,
  errorShare,
  requests,
];

/** Sorts providers with the worst first. */
export const worstFirst = (summaries: readonly Summary[]): Summary[] =>
  summaries.toSorted((a, b) => {
    const [ofA, ofB] = [badness(a), badness(b)];
    const place = ofA.findIndex((value, at) => value !== ofB[at]);
    return place < 0 ? (a.id < b.id ? -1 : 1) : ofB[place]! - ofA[place]!;
  });

/** A provider's figures over a range, by time and by model, each with those of others for the same models. */
export function toCourse(provider: string, all: ProviderFigures) {
  const { points, failures, entries } = figuresOf(provider, all);
  const times = Map.groupBy(points, ({ at }) => at);
  const failuresAt = Map.groupBy(failures, ({ hour }) =>
    all.bucket === "hour" ? hour : hour - (hour % DAY),
  );
  const allAt = Map.groupBy(all.points, ({ at }) => at);
  const models = Map.groupBy(points, ({ name = "" }) => entries.get(name)?.model ?? "");
  const modelOf = ({ name = "" }: UsagePoint): string | undefined => entries.get(name)?.model;
  return {
    points: [...new Set([...times.keys(), ...failuresAt.keys()])]
      .sort((a, b) => a - b)
      .map((at) => {
        const compared = compareProvider(provider, allAt.get(at) ?? [], entries);
        return {
          at: momentOf(at),
          ...toServed(sumOf(times.get(at) ?? []), failuresAt.get(at) ?? []),
          ...(compared && { others: compared.others }),
        };
      }),
    models: [...models]
      .map(([model, same]) => {
        const ofModel = new Set(same.map(({ name }) => name));
        const compared = compareProvider(
          provider,
          all.points.filter((point) => modelOf(point) === model),
          entries,
        );
        return {
          model,
          ...toServed(
            sumOf(same),
            failures.filter(({ entry }) => ofModel.has(entry)),
          ),
          ...(compared && { others: compared.others, providers: compared.providers, ratio: compared.ratio }),
        };
      })
      .sort((a, b) => b.requests - a.requests),
  };
}
