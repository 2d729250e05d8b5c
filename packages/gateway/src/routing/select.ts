import type { Provider } from "@manifold-gateway/providers";
import { drawOf } from "@manifold-gateway/providers/routing";
import { Refusal } from "../http/refusal.ts";
import type { Catalog, Entry, Model } from "../ports/catalog.ts";
import type { CredentialChoice, Routing } from "../ports/routing.ts";
import { entryId, type Open, type Skip, type Skipped, toSkipped } from "./candidate.ts";
import { skipBy } from "./filters.ts";
import { noEligibleEntry, notCapable, unknownModel } from "./no-entry.ts";
import { type Operation, outputs } from "./operation.ts";
import { noPreferences, type Preferences } from "./preferences.ts";
import { rank, type Standing } from "./rank.ts";
import { type Placement, placementsOf } from "./rank-explanation.ts";

/** The dependencies of a choice among entries. */
export interface RoutingDeps {
  catalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  routing: Pick<Routing, "breakers">;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The properties for the order of entries that depend on the operation. */
export type OperationStanding = Pick<Standing, "price"> & Partial<Pick<Standing, "affinity" | "native">>;

export interface SelectAsk {
  operation: Operation;
  /** The model's name as the caller wrote it. */
  model: string;
  account: string;
  preferences: Preferences;
}

/** The facts about entries that depend on the operation and on its request. */
export interface EntryRules<Fitted extends Open> {
  /** The entry with the details that the operation needs, or the reason why it cannot serve. */
  fit(open: Open): Fitted | Skip;
  /** The key of the weighted draw: the conversation's, or the request's if it is part of none. */
  identity(): string;
  /** The properties for the order. Called only if there is a choice, and for explanations. */
  standing(candidate: Fitted): OperationStanding;
  /** The credentials with which an entry may be called; undefined if there is a single one. */
  credentials?(candidate: Fitted): CredentialChoice | undefined;
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
}

/** The choice before any plan: it has at least one candidate. */
export interface Selection<Fitted extends Open, Rules extends EntryRules<Fitted> = EntryRules<Fitted>>
  extends Choice<Fitted> {
  account: string;
  preferences: Preferences;
  /** The rules by which it was made. */
  rules: Rules;
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
export function selectEntries<Fitted extends Open, Rules extends EntryRules<Fitted>>(
  deps: RoutingDeps,
  ask: SelectAsk,
  rules: Rules & EntryRules<Fitted>,
): Selection<Fitted, Rules> {
  const { operation, account, preferences } = ask;
  const model = deps.catalog.get(ask.model);
  if (!model) throw unknownModel(ask.model);
  const { carriedBy } = outputs[operation];
  let isCapable = false;
  for (const modality of model.outputModalities) isCapable ||= carriedBy.includes(modality);
  if (!isCapable) throw notCapable(deps, ask.model, model, operation);
  const alias = model.id === ask.model ? undefined : { alias: ask.model };
  const skipped: Skipped[] = [];
  const found: Fitted[] = [];
  for (const entry of model.entries) {
    const judged = judge(deps, ask, rules, model, entry);
    if ("why" in judged) skipped.push(toSkipped({ id: entryId(model, entry), entry }, judged));
    else found.push(judged);
  }
  if (found.length === 0)
    throw new NoEntry(noEligibleEntry(deps, ask, model, skipped), {
      model,
      ...alias,
      candidates: [],
      skipped,
    });
  const candidates = found.length > 1 ? order(deps, { account, preferences, rules }, found) : found;
  if (!preferences.fallbacks && !preferences.order)
    for (const candidate of candidates.splice(1)) skipped.push(toSkipped(candidate, { why: "no_fallback" }));
  return { model, ...alias, candidates, skipped, account, preferences, rules };
}

/** The entry as a candidate, or the reason to skip it. */
function judge<Fitted extends Open>(
  { providers, routing: { breakers } }: RoutingDeps,
  { account, preferences }: SelectAsk,
  rules: EntryRules<Fitted>,
  model: Model,
  entry: Entry,
): Fitted | Skip {
  if (!model.isActive || !entry.isActive) return { why: "inactive" };
  const provider = providers.get(entry.provider);
  if (!provider) return { why: "unknown_provider" };
  const open: Open = { id: entryId(model, entry), model, entry, provider };
  const skip = preferences === noPreferences ? undefined : skipBy(preferences, open);
  if (skip) return skip;
  return breakers.isOpen(open.id, account) ? { why: "circuit_open" } : rules.fit(open);
}

type Ordering<Fitted extends Open> = Pick<Selection<Fitted>, "account" | "preferences" | "rules">;

const order = <Fitted extends Open>(
  deps: RoutingDeps,
  ordering: Ordering<Fitted>,
  candidates: readonly Fitted[],
): Fitted[] =>
  rank(stand(deps, ordering, candidates), ordering.preferences).map(({ candidate }) => candidate);

/** The properties that give candidates of a choice their places, for an explanation. */
export function placesOf<Fitted extends Open>(
  deps: RoutingDeps & { routing: Pick<Routing, "credentials"> },
  selection: Selection<Fitted>,
  candidates: readonly Fitted[],
): Placement[] {
  return placementsOf(stand(deps, selection, candidates), selection.preferences).map((place, at) => {
    const choice = selection.rules.credentials?.(candidates[at] as Fitted);
    const credential = choice && deps.routing.credentials.peek(choice)?.name;
    return { ...place, ...(credential !== undefined && { credential }) };
  });
}

/** Entries with the properties by which they are ordered. */
function stand<Fitted extends Open>(
  { routing: { breakers }, now }: RoutingDeps,
  { account, rules }: Ordering<Fitted>,
  candidates: readonly Fitted[],
): (Standing & { candidate: Fitted })[] {
  const weighted = new Set(
    candidates[0]?.model.entries.flatMap(({ weight, priority }) => (weight === undefined ? [] : [priority])),
  );
  return candidates.map((candidate) => {
    const health = breakers.of(candidate.id, account);
    return {
      candidate,
      provider: candidate.provider.id,
      affinity: 2,
      native: true,
      cooling: (health?.coolingUntil ?? 0) > now(),
      priority: candidate.entry.priority,
      ...(weighted.has(candidate.entry.priority) && {
        draw: drawOf({ name: candidate.id, weight: candidate.entry.weight ?? 1 }, rules.identity()),
      }),
      failures: health?.failures ?? 0,
      latency: health?.latency,
      throughput: health?.throughput,
      ...rules.standing(candidate),
    };
  });
}
