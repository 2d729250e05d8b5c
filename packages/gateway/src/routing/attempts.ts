import type { UpstreamResponse } from "@manifold-gateway/providers";
import { faultName } from "../fault.ts";
import { Refusal } from "../http/refusal.ts";
import type { Attempt, CircuitBreakers, ProviderLimiter, Release } from "../ports/routing.ts";
import type { Candidate } from "./candidate.ts";
import { Busy } from "./provider-limiter.ts";
import type { Queue } from "./queue.ts";
import { pauseOf, type Verdict, verdictOfFault, verdictOfStatus } from "./verdict.ts";

export interface AttemptOptions {
  breakers: CircuitBreakers;
  /** The account of the request: failures count for it first. */
  account: string;
  limiter: ProviderLimiter;
  now(): number;
  /** The most calls of one request. */
  maxAttempts: number;
  /** Ask another entry also where the failed one may have generated, and charged, something. */
  retryAmbiguousFailures: boolean;
  /** The longest pause, in milliseconds, that is waited out where only the entry that asks for it is left. */
  maxRetryAfterWait: number;
}

/** The attempt whose answer counts. */
export interface Answered<Plan> {
  plan: Plan;
  response: UpstreamResponse;
  /** To be called once nothing more is read of it. */
  release: Release;
}

interface Planned {
  resolution: Candidate;
}

/** So much of a discarded answer is read, so that its connection can be used again. */
const REST = 64 * 1024;

/**
 * Calls one entry after the other, until one answers or no other may be called: the answer may then be a refusal, and
 * the last error is thrown. A failed request is only repeated where it cannot have been charged: at the next entry,
 * and at the last one once more where it demands a short pause or could not be reached.
 */
export async function attempt<Plan extends Planned>(
  options: AttemptOptions,
  queue: Pick<Queue<Plan>, "first" | "next">,
  send: (plan: Plan) => Promise<UpstreamResponse>,
  attempts: Attempt[],
): Promise<Answered<Plan>> {
  let plan = queue.first();
  let again = false;
  for (;;) {
    const result = await callOnce(options, plan, send, attempts);
    if ("response" in result && result.response.status < 400) return result;
    const { verdict } = result;
    const may =
      verdict.elsewhere &&
      (verdict.charged === "no" || options.retryAmbiguousFailures) &&
      attempts.length < options.maxAttempts;
    const next = may ? queue.next() : undefined;
    const pause = may && !next && !again ? pauseBefore(result, options) : undefined;
    if (!next && pause === undefined) {
      if ("response" in result) return result;
      throw result.error;
    }
    if ("response" in result) {
      result.response.body.bytes(REST).catch(() => {});
      result.release();
    }
    if (next) plan = next;
    else {
      again = true;
      if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Milliseconds until the same entry may be called once more; nothing where that is not worth the wait. */
function pauseBefore<Plan>(
  result: Result<Plan>,
  { maxRetryAfterWait: patience, now }: AttemptOptions,
): number | undefined {
  if (!("response" in result)) return result.verdict.failing && patience > 0 ? 0 : undefined;
  const pause = pauseOf(result.response.headers["retry-after"], now());
  return pause !== undefined && pause * 1000 <= patience ? pause * 1000 : undefined;
}

type Result<Plan> = (Answered<Plan> | { error: unknown }) & { verdict: Verdict };
const fine: Verdict = { charged: "perhaps", elsewhere: false, failing: false };

async function callOnce<Plan extends Planned>(
  { breakers, account, limiter, now }: AttemptOptions,
  plan: Plan,
  send: (plan: Plan) => Promise<UpstreamResponse>,
  attempts: Attempt[],
): Promise<Result<Plan>> {
  const { id, provider } = plan.resolution;
  const began = now();
  const made: Attempt = { entry: id, provider: provider.id, ms: 0 };
  attempts.push(made);
  let release: Release | undefined;
  try {
    const place = limiter.enter(provider);
    release = place instanceof Promise ? await place : place;
    if (!breakers.enter(id, account)) throw new CircuitOpen();
    const response = await send(plan);
    const { status } = response;
    made.status = status;
    made.ms = now() - began;
    if (status < 400) {
      breakers.answered(id, account, made.ms);
      return { plan, response, release, verdict: fine };
    }
    const verdict = verdictOfStatus(status);
    note({ breakers, account }, id, made, verdict);
    const pause = status === 429 || status === 503 ? pauseOf(response.headers["retry-after"], now()) : 0;
    if (pause) breakers.cool(id, pause);
    return { plan, response, release, verdict };
  } catch (error) {
    release?.();
    made.ms = now() - began;
    made.fault =
      error instanceof CircuitOpen ? "circuit_open" : error instanceof Busy ? "busy" : faultName(error);
    const verdict = error instanceof CircuitOpen ? circuitOpen : verdictOfFault(error);
    if (!(error instanceof CircuitOpen)) note({ breakers, account }, id, made, verdict);
    return { error: toRefusal(error), verdict };
  }
}

function note(
  { breakers, account }: Pick<AttemptOptions, "breakers" | "account">,
  id: string,
  made: Attempt,
  verdict: Verdict,
): void {
  if (verdict.charged === "perhaps") made.perhapsCharged = true;
  if (verdict.failing) breakers.failed(id, account);
  else breakers.left(id, account);
}

/** It opened after the route was found. */
class CircuitOpen extends Error {}
const circuitOpen: Verdict = { charged: "no", elsewhere: true, failing: false };

function toRefusal(error: unknown): unknown {
  if (!(error instanceof Busy) && !(error instanceof CircuitOpen)) return error;
  const text = error instanceof Busy ? error.message : "The provider is failing.";
  return new Refusal("provider_unavailable", `${text} Try again later.`, {
    headers: { "retry-after": "1" },
  });
}
