import { type Protocols, parseWire } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { bytesOf, type Payload } from "@manifold-gateway/providers";
import { toUsd } from "@manifold-gateway/store";
import { amountOf, chargeOf } from "../billing/amounts.ts";
import { Refusal } from "../http/refusal.ts";
import type { Caller } from "../ports/access.ts";
import type { Headroom, Opening } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { Open } from "../routing/candidate.ts";
import { choiceOf } from "../routing/queue.ts";
import type { Placement } from "../routing/rank-explanation.ts";
import { routeExplanation, type Sent, type Spoken } from "../routing/record.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import { type Choice, NoEntry, placesOf } from "../routing/select.ts";
import type { Planned } from "./stages.ts";

/** A request as it would be sent, and the objections that only a plan shows. */
export interface PlanFindings {
  upstream?: JsonObject | undefined;
  refusal?: Refusal | undefined;
  /** The estimated media counts. */
  estimate?: JsonObject;
  /** The least usage, if that is known. */
  least?: Opening["usage"];
}

/**
 * Explains a request that could be sent: the route, the losses, the body to be sent, and the possible cost. Nothing is
 * called, held, stored or charged.
 */
export async function explainPlanned<Of extends Sent>(
  {
    services,
    caller,
  }: Pick<Context<"billing" | "catalog" | "now" | "providers" | "routing">, "services" | "caller">,
  { queue, opening }: Planned<Of, Open & Spoken>,
  { upstream, refusal, estimate, least }: PlanFindings,
): Promise<Answer> {
  const headroom = await services.billing.headroom?.(opening);
  const choice = choiceOf(queue);
  return {
    status: 200,
    body: explanationOf(caller, {
      choice,
      places: placesOf(services, queue.selection, choice.candidates),
      sent: queue.first(),
      refusal: headroom?.refusal ?? refusal,
      upstream,
      ...(least && { least: chargeOf(least, opening.price) }),
      amount: amountOf(opening),
      ...(estimate && { estimate }),
      headroom,
    }),
  };
}

/** Explains a request that was refused while it was planned. Throws every other error. */
export function explainRefusal(
  { services }: Pick<Context<"catalog" | "now" | "providers" | "routing">, "services">,
  error: unknown,
  { queue }: Partial<Pick<RequestTrace, "queue">>,
): Answer {
  if (!(error instanceof Refusal)) throw error;
  const choice = error instanceof NoEntry ? error.choice : queue && choiceOf(queue);
  const places = queue ? placesOf(services, queue.selection, choice?.candidates ?? []) : [];
  return { status: 200, body: { ...verdictOf(error), ...routeExplanation(choice, places, undefined) } };
}

/** A body in the form in which an explanation shows it. */
export const shownBody = (body: Payload, protocols: Protocols) =>
  parseWire(typeof body === "string" ? body : new TextDecoder().decode(bytesOf(body)), protocols) ?? null;

/** Facts about a request that could be sent, with amounts in micro-USD. */
interface SendableRequest {
  choice: Choice<Spoken>;
  places: readonly Placement[];
  sent: Sent;
  /** The refusal that the request would still get. */
  refusal: Refusal | undefined;
  upstream: JsonObject | undefined;
  /** The least that it can cost, if that is known. */
  least?: number;
  /** The amount of the hold. */
  amount: number;
  /** The estimated media counts. */
  estimate?: JsonObject;
  headroom: Headroom | undefined;
}

/** Explains a request that could be sent, of any operation. */
const explanationOf = (
  { accountId: account }: Pick<Caller, "accountId">,
  { choice, places, sent, refusal, upstream, least, amount, estimate, headroom }: SendableRequest,
): JsonObject => ({
  ...(refusal ? verdictOf(refusal) : { verdict: "accepted", account }),
  ...routeExplanation(choice, places, sent),
  ...(upstream && { upstream }),
  cost: { currency: "USD", ...(least !== undefined && { least: toUsd(least) }), most: toUsd(amount) },
  ...(estimate && { estimate }),
  reservation: toUsd(amount),
  ...(headroom && { headroom: toHeadroom(headroom) }),
});

const verdictOf = ({ code, status, errors, options }: Refusal): JsonObject => ({
  verdict: "refused",
  status,
  errors,
  code,
  ...(options.param !== undefined && { param: options.param }),
});

/** Headroom in US dollars. */
const toHeadroom = ({ available, caps }: Headroom): JsonObject => ({
  balance: toUsd(available),
  caps: Object.fromEntries(
    Object.entries(caps).map(([cap, { limit, spent, remaining }]) => [
      cap,
      { limit: toUsd(limit), spent: toUsd(spent), remaining: toUsd(remaining) },
    ]),
  ),
});

/**
 * Removes what only operators see from an explanation: providers, native names, the body to be sent, and the health
 * of each entry.
 */
export function withoutProviders({ body, ...answer }: Answer): Answer {
  const { upstream: _, route, ...rest } = body as JsonObject & { route?: Record<string, JsonObject[]> };
  const neutral = ({
    provider: _p,
    name: _n,
    rank: _r,
    credential: _c,
    families: _f,
    traits: _t,
    ...candidate
  }: JsonObject): JsonObject => candidate;
  const ways = route && Object.entries(route).map(([list, entries]) => [list, entries.map(neutral)]);
  return { ...answer, body: { ...rest, ...(ways && { route: Object.fromEntries(ways) }) } };
}
