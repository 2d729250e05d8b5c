import { type JsonObject, parseWire } from "@manifold/core";
import { toUsd } from "@manifold/store";
import { amountOf, chargeOf, type Headroom } from "./billing.ts";
import type { Answer, Context } from "./context.ts";
import { Refusal } from "./http/refusal.ts";
import type { Candidate, Skipped } from "./routing/candidate.ts";
import type { Trail } from "./routing/trail.ts";
import type { Prepared } from "./text/prepare.ts";

/** One request as it would be sent. */
export interface Explained {
  resolution: Candidate;
  body: string | Uint8Array;
}

/**
 * What would become of a request: the verdict, its way, what would be lost, what would be sent, and what it could
 * cost. It is prepared as it would be to be sent; nothing is called, held, stored or charged.
 */
export async function explain<Plan extends Explained>(
  { services, caller }: Context,
  trail: Trail,
  prepare: () => Prepared<Plan>,
  target: (plan: Plan) => string,
): Promise<Answer> {
  let prepared: Prepared<Plan>;
  try {
    prepared = prepare();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { body: { ...refusedBy(error), ...wayOf(trail) } };
  }
  const { queue, opening } = prepared;
  const headroom = await services.billing.headroom?.(opening);
  const first = queue.first();
  const amount = amountOf(opening);
  const least = chargeOf(prepared.least(), opening.price);
  return {
    body: {
      ...(headroom?.refusal
        ? refusedBy(headroom.refusal)
        : { verdict: "accepted", account: caller.accountId }),
      ...wayOf(trail),
      upstream: { method: "POST", path: target(first), body: bodyOf(first.body) },
      cost: { currency: "USD", least: toUsd(least), most: toUsd(amount) },
      reservation: toUsd(amount),
      ...(headroom && { headroom: toHeadroom(headroom) }),
    },
  };
}

/** The verdict of a refusal. */
export const refusedBy = ({ code, status, errors, options }: Refusal): JsonObject => ({
  verdict: "refused",
  status,
  errors,
  code,
  ...(options.param !== undefined && { param: options.param }),
});

function wayOf({ queue, plan }: Trail): JsonObject {
  const route = queue?.standing();
  const way = (candidate: Candidate): JsonObject => ({
    entry: candidate.id,
    provider: candidate.provider.id,
    name: candidate.entry.name,
    protocol: candidate.protocol,
  });
  const skipped = ({ id, ...rest }: Skipped): JsonObject => ({ entry: id, ...rest });
  return {
    ...(route && {
      model: route.model.id,
      revision: route.model.revision,
      route: { candidates: route.candidates.map(way), skipped: route.skipped.map(skipped) },
    }),
    ...(plan && {
      entry: plan.resolution.id,
      translation: plan.translated ? "translated" : "passthrough",
      losses: plan.losses.map((loss) => ({ ...loss })),
      hints: [...plan.hints],
    }),
  };
}

const bodyOf = (body: string | Uint8Array) =>
  parseWire(typeof body === "string" ? body : new TextDecoder().decode(body)) ?? null;

/** Headroom in USD. */
export const toHeadroom = ({ available, caps }: Headroom): JsonObject => ({
  balance: toUsd(available),
  caps: Object.fromEntries(
    Object.entries(caps).map(([cap, { limit, spent, remaining }]) => [
      cap,
      { limit: toUsd(limit), spent: toUsd(spent), remaining: toUsd(remaining) },
    ]),
  ),
});

/** What a caller is told who does not run the service: nothing of who serves it, by what name, and what is sent there. */
export function withoutProviders({ body, ...answer }: Answer): Answer {
  const { upstream: _, route, ...rest } = body as JsonObject & { route?: Record<string, JsonObject[]> };
  const neutral = ({ provider: _p, name: _n, ...candidate }: JsonObject): JsonObject => candidate;
  const ways = route && Object.entries(route).map(([list, entries]) => [list, entries.map(neutral)]);
  return { ...answer, body: { ...rest, ...(ways && { route: Object.fromEntries(ways) }) } };
}
