import { createHash } from "node:crypto";
import type { Provider, UpstreamProtocol } from "@manifold-gateway/providers";
import type { Entry, Model } from "../ports/catalog.ts";
import type { Learnt } from "../ports/routing.ts";
import type { Terms } from "./terms.ts";

/** An entry that can take a request, and the protocol in which it is called. */
export interface Resolution {
  model: Model;
  entry: Entry;
  provider: Provider;
  protocol: UpstreamProtocol;
  terms: Terms;
  /** What was learnt of the model from refusals, for a request that is translated for it. */
  learnt?: Learnt;
}

export interface Candidate extends Resolution {
  /** The entry's id for callers: stable, and without the provider's name. */
  id: string;
}

/** An entry that can be called, not yet checked against the operation. */
export type Open = Pick<Candidate, "id" | "model" | "entry" | "provider">;

/** The candidates that were last made of an entry, by protocol. */
const candidates = new WeakMap<Entry, Map<UpstreamProtocol, Candidate>>();

/**
 * An entry as a candidate: the same object for every request, as long as nothing of it has changed, so that what
 * depends on nothing else can be kept with it.
 */
export function candidateOf(
  { id, model, entry, provider }: Open,
  protocol: UpstreamProtocol,
  terms: Terms,
  learnt: Learnt | undefined,
): Candidate {
  let known = candidates.get(entry);
  if (!known) {
    known = new Map();
    candidates.set(entry, known);
  }
  const before = known.get(protocol);
  const isSame =
    before?.model === model &&
    before.provider === provider &&
    before.terms === terms &&
    before.learnt === learnt;
  if (isSame) return before;
  const candidate = { id, model, entry, provider, protocol, terms, ...(learnt && { learnt }) };
  known.set(protocol, candidate);
  return candidate;
}

/** The reason why an entry is skipped. */
export type SkipReason =
  | "inactive"
  | "unknown_provider"
  | "no_protocol"
  | "not_routed"
  | "not_chosen"
  | "ignored"
  | "no_fallback"
  | "unpriced"
  | "unpriced_member"
  | "unknown_id"
  | "too_expensive"
  | "circuit_open"
  | "refused"
  | "parameters"
  | "losses";

/** Why an entry is skipped, in a word and in detail. */
export interface Skip {
  why: SkipReason;
  /** A sentence with details, if `why` alone is not enough. */
  detail?: string;
}

/** A skipped entry. */
export interface Skipped extends Skip {
  id: string;
  provider: string;
  name: string;
}

export const toSkipped = (
  { id, entry }: Pick<Candidate, "id" | "entry">,
  { why, detail }: Skip,
): Skipped => ({
  id,
  provider: entry.provider,
  name: entry.name,
  why,
  ...(detail !== undefined && { detail }),
});

const ids = new WeakMap<object, string>();

/** The neutral id of an entry. It begins with a letter, so that headers need not quote it. */
export function entryId(model: Pick<Model, "id">, entry: Pick<Entry, "provider" | "name">): string {
  const known = ids.get(entry);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(JSON.stringify([model.id, entry.provider, entry.name]));
  const id = `e${hash.digest("hex").slice(0, 10)}`;
  ids.set(entry, id);
  return id;
}
