import type { BillingFacts } from "@manifold-gateway/core/codec";
import type { Price } from "@manifold-gateway/store";
import { inputBound, largestAt } from "../generation/token-estimate.ts";
import type { JsonBody } from "../http/json-body.ts";
import type { Opening } from "../ports/billing.ts";
import type { Services } from "../ports/services.ts";
import type { Candidate } from "../routing/candidate.ts";
import { factorOf, priceTimes } from "../routing/terms.ts";
import { type Metered, mostCalls } from "./billable-items.ts";

/** The most output tokens of one alternative that are held for under `threshold`. */
const LIKELY_OUTPUT = 8_192;

/** The request whose hold is computed. */
interface HoldSource {
  /** The billing facts of the caller's protocol. */
  facts: BillingFacts;
  body: JsonBody;
  metered: Metered;
}

/** The facts that decide the amount of a hold at any entry. */
export interface HoldBasis {
  input: number;
  /** The caller's limit on the output of one alternative. */
  limit: number | undefined;
  alternatives: number;
  calls: ReturnType<typeof mostCalls>;
}

type HoldServices = Pick<Services, "admission" | "holds" | "protocols">;

/** Reads the facts from the request, once for all its entries. */
export function holdBasis(
  { facts, body, metered }: HoldSource,
  { admission, holds }: Omit<HoldServices, "protocols">,
): HoldBasis {
  const calls = mostCalls(metered, holds.toolCalls);
  const most = metered.tools.length > 0 ? Math.max(0, ...Object.values(calls)) : 0;
  return {
    input: inputBound(body, admission === "strict", holds) + most * holds.toolCallTokens,
    limit: largestAt(body.lazy, facts.limits),
    alternatives: Math.max(1, Math.ceil(largestAt(body.lazy, facts.alternatives) ?? 1)),
    calls,
  };
}

/**
 * The usage for which credit is held. Under `strict` it is the most that the request can use; under `threshold` the
 * most that is likely, so that a high limit which is hardly ever reached doesn't block other requests.
 */
export function heldUsage(
  { input, limit, alternatives, calls }: HoldBasis,
  { entry, protocol }: Candidate,
  { admission, holds, protocols }: HoldServices,
): Opening["usage"] {
  // A protocol without alternatives returns one.
  const replies = protocols.codecs[protocol].billing.alternatives.length > 0 ? alternatives : 1;
  const stated = entry.traits?.maxOutput ?? entry.capabilities?.text?.maxOutputTokens;
  const most = stated ?? Number.POSITIVE_INFINITY;
  const each = Math.ceil(Math.min(limit ?? Math.min(most, holds.outputTokens), most));
  return {
    input,
    output: replies * (admission === "strict" ? each : Math.min(each, LIKELY_OUTPUT)),
    ...calls,
  };
}

/** The price of an entry in the requested modes. A cheaper mode may be denied, so only dearer ones count. */
export function heldPrice({ modes }: Metered, { terms }: Candidate): Price {
  let factor = 1;
  for (const { mode, value, possible } of modes)
    if (!possible) factor *= Math.max(1, factorOf(terms, mode, value) ?? 1);
  return priceTimes(terms.price, factor);
}
