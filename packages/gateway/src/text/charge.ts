import type { AnyProvider } from "@manifold-gateway/core";
import {
  type Billed,
  type BillingFacts,
  type CallCounts,
  type CallUnit,
  callUnits,
} from "@manifold-gateway/core/codec";
import type { Price } from "@manifold-gateway/store";
import { chargeOf } from "../billing/amounts.ts";
import type { Used } from "../ports/billing.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Candidate } from "../routing/candidate.ts";
import { factorOf, priceTimes, termsOf } from "../routing/terms.ts";
import type { Metered } from "./billable-items.ts";

/** The charge of a reply: its usage with calls of tools, and its price. */
export interface Charge {
  usage?: Used | undefined;
  price: Price;
  /** Items that the provider reports as billed and that have no price here. */
  unpriced: readonly Unpriced[];
}

type Unpriced = "model" | "mode" | "calls";

interface Served {
  resolution: Candidate;
  upstream: AnyProvider;
  metered: Metered;
}

/**
 * The charge of a reply. If the provider answered with another model, mode or number of calls than was requested, the
 * dearer of both counts.
 */
export function chargeFor(
  served: Served,
  used: Used | undefined,
  billed: Billed,
  catalog: Pick<Catalog, "list">,
): Charge {
  const { resolution, metered } = served;
  const { terms, entry, provider } = resolution;
  const { isSold } = terms;
  const modes = factorsOf(served, billed);
  const calls = callsOf(billed, metered);
  const usage = used && calls ? { ...used, ...calls } : used;
  const unpriced: Unpriced[] = [...modes.unpriced];
  let price = priceTimes(terms.price, modes.factor);
  if (isSold && calls && callUnits.some((unit) => calls[unit] && !isPaid(served, unit)))
    unpriced.push("calls");
  if (isSold && usage && billed.model !== undefined && !isSameModel(entry.name, billed.model)) {
    const other = priceOfOther(billed.model, resolution, catalog);
    if (!other) unpriced.push("model");
    else if (chargeOf(usage, priceTimes(other, modes.factor)) > chargeOf(usage, price))
      price = priceTimes(other, modes.factor);
  }
  return { price, unpriced: provider.unpriced === "forward" ? [] : unpriced, usage };
}

/** The usual values of all modes of a protocol, which have no surcharge. */
const usualValues = new WeakMap<BillingFacts, ReadonlySet<string>>();

function usualOf(facts: BillingFacts): ReadonlySet<string> {
  const before = usualValues.get(facts);
  if (before) return before;
  const usual = new Set(Object.values(facts.modes).flat());
  usualValues.set(facts, usual);
  return usual;
}

interface Factors {
  factor: number;
  /** `mode` for each mode without a price. */
  unpriced: readonly "mode"[];
}

const noFactors: Factors = { factor: 1, unpriced: [] };

/** The factor of the modes that were requested and of those that the reply reports: the dearer of each. */
function factorsOf({ resolution: { terms }, upstream, metered }: Served, billed: Billed): Factors {
  if (metered.modes.length === 0 && !billed.modes) return noFactors;
  const usual = usualOf(upstream.billing);
  const factors = new Map<string, number>();
  const unpriced: "mode"[] = [];
  const modes = Object.entries(billed.modes ?? {});
  for (const { mode, value, possible } of metered.modes) if (!possible) modes.push([mode, value]);
  for (const [mode, word] of modes) {
    const value = word.toLowerCase();
    const factor = factorOf(terms, mode, value) ?? (usual.has(value) ? 1 : undefined);
    if (factor === undefined) unpriced.push("mode");
    else factors.set(mode, Math.max(factors.get(mode) ?? 0, factor));
  }
  let product = 1;
  for (const factor of factors.values()) product *= factor;
  return { factor: product, unpriced };
}

/** Several units may count the same calls: a price for one of them is enough. */
function isPaid({ resolution: { terms }, upstream }: Served, unit: CallUnit): boolean {
  const kinds = upstream.billing.tools.flatMap(([, billing]) =>
    typeof billing === "string" ? [] : [billing],
  );
  const same = kinds.find((billing) => billing.includes(unit)) ?? [unit];
  return same.some((one) => terms.price[one] !== undefined);
}

/** The calls that the reply reports; undefined if there are none. A tool that a member switches on counts at least once. */
function callsOf({ calls }: Billed, { tools }: Metered): CallCounts | undefined {
  if (tools.length === 0 && !calls) return undefined;
  const counted = { ...calls };
  for (const { path, kind, billing } of tools) {
    if (path !== kind || billing === "unpriced") continue;
    for (const unit of billing) counted[unit] = Math.max(1, counted[unit] ?? 0);
  }
  return Object.keys(counted).length > 0 ? counted : undefined;
}

/** A suffix that doesn't change which model a name means: a date, a version, a tag. */
const EDITION = /^(:.*|[-@.](\d{4}.*|v?\d+(\.\d+)*|latest|preview.*|exp.*))$/;

/** Checks whether the name in a provider's answer means the requested model. */
function isSameModel(requested: string, answered: string): boolean {
  if (requested === answered) return true;
  const [a, b] = [bare(requested), bare(answered)];
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && EDITION.test(long.slice(short.length));
}

/** A name without the provider or folder before it, and without a tag. */
const bare = (name: string): string =>
  (name.split("/").at(-1) as string).toLowerCase().replace(/:[\w-]*$/, "");

/** The price of the model that answered, if the catalog has it for this provider. */
function priceOfOther(
  answered: string,
  { provider }: Candidate,
  catalog: Pick<Catalog, "list">,
): Price | undefined {
  for (const { entries } of catalog.list())
    for (const entry of entries)
      if (entry.provider === provider.id && isSameModel(entry.name, answered))
        return termsOf(entry, provider)?.price;
  return undefined;
}
