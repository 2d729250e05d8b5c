import type { Provider } from "@manifold-gateway/providers";
import { Refusal } from "../http/refusal.ts";
import type { Catalog, Entry, Model } from "../ports/catalog.ts";
import type { Routing } from "../ports/routing.ts";
import { entryId, type Open, type Rejection, type Skipped, toSkipped } from "./candidate.ts";
import { affordable, closedFor, type Filter, wanted } from "./filters.ts";
import { noEligibleEntry, notCapable, unknownModel } from "./no-entry.ts";
import { type Operation, outputs } from "./operation.ts";
import type { Preferences } from "./preferences.ts";
import { rank, type Standing } from "./rank.ts";
import { type Placement, placementsOf } from "./rank-explanation.ts";
import { drawOf } from "./rendezvous.ts";

/** The dependencies of a choice among entries. */
export interface RoutingDeps {
  catalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  routing: Pick<Routing, "breakers">;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The properties for the order of entries that depend on the operation. */
export type OperationStanding = Pick<Standing, "price"> & Partial<Pick<Standing, "stuck" | "native">>;

export interface SelectAsk<Fitted extends Open> {
  operation: Operation;
  /** The model's name as the caller wrote it. */
  model: string;
  account: string;
  preferences: Preferences;
  /** The entry with the details that the operation needs, or the reason why it cannot serve. */
  fit(open: Open): Fitted | Rejection;
  /** The key of the weighted draw: the conversation's, or the request's if it is part of none. */
  identity(): string;
  /** Called only if there is a choice, and for explanations. */
  standings(): (candidate: Fitted) => OperationStanding;
}

/**
 * The entries of a model for one request: those that may be called, in order, and the skipped ones with the reasons.
 */
export interface Choice<Fitted> {
  model: Model;
  /** The model's name as the caller wrote it, if that is an alias. */
  alias?: string;
  candidates: readonly Fitted[];
  skipped: readonly Skipped[];
  /** The properties that gave these candidates their places. Computed only for explanations. */
  places?(candidates: readonly Fitted[]): readonly Placement[];
}

/** The choice before any plan: it has at least one candidate. */
export interface Selection<Fitted extends Open> extends Choice<Fitted> {
  preferences: Preferences;
}

/** Thrown if no entry can serve the request; `choice` has the reason for each. */
export class NoEntry extends Refusal {
  readonly choice: Choice<never>;
  constructor({ code, errors, options }: Refusal, choice: Choice<never>) {
    super(code, errors, options);
    this.choice = choice;
  }
}

/** The entries of a model that can serve a request, in order. If there is none, throws a refusal with the reasons. */
export function selectEntries<Fitted extends Open>(
  deps: RoutingDeps,
  ask: SelectAsk<Fitted>,
): Selection<Fitted> {
  const { operation, account, preferences } = ask;
  const model = deps.catalog.get(ask.model);
  if (!model) throw unknownModel(ask.model);
  if (!model.outputModalities.some((modality) => outputs[operation].carriedBy.includes(modality)))
    throw notCapable(ask.model, model, operation);
  const alias = model.id !== ask.model && { alias: ask.model };
  const filters = [wanted(preferences), affordable(preferences), closedFor(deps.routing.breakers, account)];
  const skipped: Skipped[] = [];
  const found: Fitted[] = [];
  for (const entry of model.entries) {
    const id = entryId(model, entry);
    const judged = judge(deps, ask, filters, { id, model, entry });
    if ("why" in judged) skipped.push(toSkipped({ id, entry }, judged));
    else found.push(judged);
  }
  if (found.length === 0)
    throw new NoEntry(noEligibleEntry(deps, ask, model, skipped), {
      model,
      ...alias,
      candidates: [],
      skipped,
    });
  const ranked = found.length > 1 ? order(deps, ask, found) : found;
  const places = (candidates: readonly Fitted[]) => placementsOf(stand(deps, ask, candidates), preferences);
  const last = preferences.fallbacks || preferences.order ? ranked.length : 1;
  for (const candidate of ranked.slice(last)) skipped.push(toSkipped(candidate, { why: "no_fallback" }));
  return { model, ...alias, candidates: ranked.slice(0, last), skipped, preferences, places };
}

/** The entry as a candidate, or the reason to skip it. */
function judge<Fitted extends Open>(
  { providers }: RoutingDeps,
  { fit }: SelectAsk<Fitted>,
  filters: readonly Filter[],
  catalogEntry: { id: string; model: Model; entry: Entry },
): Fitted | Rejection {
  if (!catalogEntry.model.isActive || !catalogEntry.entry.isActive) return { why: "inactive" };
  const provider = providers.get(catalogEntry.entry.provider);
  if (!provider) return { why: "unknown_provider" };
  const open: Open = { ...catalogEntry, provider };
  for (const filter of filters) {
    const rejection = filter(open);
    if (rejection) return rejection;
  }
  return fit(open);
}

const order = <Fitted extends Open>(
  deps: RoutingDeps,
  ask: SelectAsk<Fitted>,
  candidates: readonly Fitted[],
): Fitted[] => rank(stand(deps, ask, candidates), ask.preferences).map(({ candidate }) => candidate);

/** Entries with the properties by which they are ordered. */
function stand<Fitted extends Open>(
  { routing: { breakers: health }, now }: RoutingDeps,
  { account, standings, identity }: SelectAsk<Fitted>,
  candidates: readonly Fitted[],
): (Standing & { candidate: Fitted })[] {
  const standingOf = standings();
  const weighted = new Set(
    candidates[0]?.model.entries.flatMap(({ weight, priority }) => (weight === undefined ? [] : [priority])),
  );
  return candidates.map((candidate) => {
    const known = health.of(candidate.id, account);
    return {
      candidate,
      provider: candidate.provider.id,
      stuck: 2,
      native: true,
      cooling: (known?.coolingUntil ?? 0) > now(),
      priority: candidate.entry.priority,
      ...(weighted.has(candidate.entry.priority) && {
        draw: drawOf({ name: candidate.id, weight: candidate.entry.weight ?? 1 }, identity()),
      }),
      failures: known?.failures ?? 0,
      latency: known?.latency,
      throughput: known?.throughput,
      ...standingOf(candidate),
    };
  });
}
