import type { Credential, UpstreamResponse } from "@manifold-gateway/providers";
import { faultName } from "../http/fault.ts";
import { Refusal } from "../http/refusal.ts";
import type {
  Attempt,
  CircuitBreakers,
  CredentialChoice,
  CredentialPool,
  ProviderLimiter,
  Release,
} from "../ports/routing.ts";
import type { Candidate } from "./candidate.ts";
import { type CredentialCall, noteAccepted, noteRefused } from "./credential-notes.ts";
import { Busy } from "./provider-limiter.ts";
import type { Queue } from "./queue.ts";
import { aboutCredential, pauseOf, type Verdict, verdictOfFault, verdictOfStatus } from "./verdict.ts";

export interface AttemptOptions {
  breakers: CircuitBreakers;
  credentials: CredentialPool;
  /** The request's account. Its failures open its own circuit; those of several accounts open the common one. */
  account: string;
  limiter: ProviderLimiter;
  now(): number;
  /** Measures the calls; see `Services.steady`. */
  steady(): number;
  /** The most calls to providers for one request. */
  maxAttempts: number;
  /** Whether to call another entry even if the failed one may have generated, and charged for, something. */
  retryAmbiguousFailures: boolean;
  /** The longest pause, in milliseconds, after which the last remaining entry is called again. */
  maxRetryAfterWait: number;
}

/** The attempt whose answer counts. */
export interface Answered<Plan> {
  plan: Plan;
  /** The credential of the call, if the provider has several. */
  credential: Credential | undefined;
  response: UpstreamResponse;
  /** Frees the provider's concurrency slot: to be called once the response has been read. */
  release: Release;
}

interface Planned {
  resolution: Candidate;
}

/** Bytes of a discarded answer that are read so that its connection can be used again. */
const REST = 64 * 1024;

/** Sends the request planned for one entry, with one of its provider's credentials if there are several. */
type Send<Plan> = (plan: Plan, credential: Credential | undefined) => Promise<UpstreamResponse>;

/** The planned requests and the credentials for each: undefined if its provider has a single one. */
export interface Planning<Plan> extends Pick<Queue<Plan>, "first" | "next"> {
  credentials?(plan: Plan): CredentialChoice | undefined;
}

/** The calls of one entry. `tried` holds the credentials used so far, the current one last. */
interface Turn<Plan> {
  plan: Plan;
  choice: CredentialChoice | undefined;
  tried: Credential[];
}

/**
 * Calls one entry after the other until one answers or no other may be called. Then the last provider's refusal is
 * returned, or the last error is thrown. By default a failed request is repeated only if it cannot have been charged:
 * with another credential if one was refused, else at the next entry, else once more at the last entry if that
 * demanded a short pause or could not be reached.
 */
export async function attempt<Plan extends Planned>(
  options: AttemptOptions,
  queue: Planning<Plan>,
  send: Send<Plan>,
  attempts: Attempt[],
): Promise<Answered<Plan>> {
  const turnOf = (plan: Plan): Turn<Plan> => {
    const choice = queue.credentials?.(plan);
    const first = choice && options.credentials.pick(choice);
    return { plan, choice, tried: first ? [first] : [] };
  };
  let turn = turnOf(queue.first());
  let again = false;
  for (;;) {
    const result = await callOnce(options, turn, send, attempts);
    if ("response" in result && result.response.status < 400) return result;
    const { verdict } = result;
    const may =
      verdict.elsewhere &&
      (verdict.charged === "no" || options.retryAmbiguousFailures) &&
      attempts.length < options.maxAttempts;
    const next = may && !result.other ? queue.next() : undefined;
    const pause = may && !result.other && !next && !again ? pauseBefore(result, options) : undefined;
    if (!may || (!result.other && !next && pause === undefined)) {
      if ("response" in result) return result;
      throw result.error;
    }
    if ("response" in result) {
      result.response.body.bytes(REST).catch(() => {});
      result.release();
    }
    if (result.other) turn.tried.push(result.other);
    else if (next) turn = turnOf(next);
    else {
      again = true;
      if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Milliseconds until the same entry may be called again; undefined if that is not worth the wait. */
function pauseBefore<Plan>(
  result: Result<Plan>,
  { maxRetryAfterWait: maxWait, now }: AttemptOptions,
): number | undefined {
  if (!("response" in result)) return result.verdict.failing && maxWait > 0 ? 0 : undefined;
  const pause = pauseOf(result.response.headers["retry-after"], now());
  return pause !== undefined && pause * 1000 <= maxWait ? pause * 1000 : undefined;
}

type Result<Plan> = (Answered<Plan> | { error: unknown }) & {
  verdict: Verdict;
  /** A usable credential, if the refused one is to blame. */
  other?: Credential | undefined;
};
const noFailure: Verdict = { charged: "perhaps", elsewhere: false, failing: false };

async function callOnce<Plan extends Planned>(
  options: AttemptOptions,
  turn: Turn<Plan>,
  send: Send<Plan>,
  attempts: Attempt[],
): Promise<Result<Plan>> {
  const { breakers, account, limiter, now, steady } = options;
  const { plan, tried } = turn;
  const { id, provider } = plan.resolution;
  const credential = tried.at(-1);
  const began = steady();
  const made: Attempt = {
    entry: id,
    provider: provider.id,
    ...(credential && { credential: credential.name }),
    ms: 0,
  };
  attempts.push(made);
  let release: Release | undefined;
  try {
    const place = limiter.enter(provider);
    release = place instanceof Promise ? await place : place;
    if (!breakers.enter(id, account)) throw new CircuitOpen();
    const response = await send(plan, credential);
    const { status } = response;
    made.status = status;
    made.ms = Math.round(steady() - began);
    const answered = { plan, credential, response, release };
    if (status < 400) {
      breakers.answered(id, account, made.ms);
      if (credential) noteAccepted(options.credentials, provider.id, credential, refusedIn(turn, attempts));
      return { ...answered, verdict: noFailure };
    }
    const verdict = verdictOfStatus(status);
    const pause = pauseOf(response.headers["retry-after"], now());
    const other = findOther(options, turn, status, pause);
    // While another credential is usable, the entry counts as healthy.
    note({ breakers, account }, id, made, other ? { ...verdict, failing: false } : verdict);
    const rest = status === 429 && turn.choice ? restOf(options, turn.choice) : pause;
    if (rest && (status === 503 || (status === 429 && !other))) breakers.cool(id, rest);
    return { ...answered, verdict, other };
  } catch (error) {
    release?.();
    made.ms = Math.round(steady() - began);
    made.fault =
      error instanceof CircuitOpen ? "circuit_open" : error instanceof Busy ? "busy" : faultName(error);
    const verdict = error instanceof CircuitOpen ? circuitOpen : verdictOfFault(error);
    if (!(error instanceof CircuitOpen)) note({ breakers, account }, id, made, verdict);
    return { error: toRefusal(error), verdict };
  }
}

/** Seconds until one of the credentials may be used again. */
const restOf = ({ credentials }: AttemptOptions, { credentials: of }: CredentialChoice): number =>
  credentials.pauseOf(of) / 1000;

/** Records a refusal of the credential. Returns another one to retry with, if the credential is to blame. */
function findOther(
  { credentials }: AttemptOptions,
  { plan, choice, tried }: Turn<Planned>,
  status: number,
  pause: number | undefined,
): Credential | undefined {
  const credential = tried.at(-1);
  if (!choice || !credential || !aboutCredential.has(status)) return undefined;
  noteRefused(credentials, plan.resolution.provider.id, { credential, status }, pause);
  return credentials.pick(choice, tried);
}

/** The refused calls of a turn, before its current credential. */
const refusedIn = ({ tried }: Turn<Planned>, attempts: readonly Attempt[]): CredentialCall[] =>
  tried.slice(0, -1).map((credential) => ({
    credential,
    status: attempts.findLast((attempted) => attempted.credential === credential.name)?.status,
  }));

function note(
  { breakers, account }: Pick<AttemptOptions, "breakers" | "account">,
  id: string,
  attempted: Attempt,
  verdict: Verdict,
): void {
  if (verdict.charged === "perhaps") attempted.perhapsCharged = true;
  if (verdict.failing) breakers.failed(id, account);
  else breakers.inconclusive(id, account);
}

/** The circuit opened after the route was chosen. */
class CircuitOpen extends Error {}
const circuitOpen: Verdict = { charged: "no", elsewhere: true, failing: false };

function toRefusal(error: unknown): unknown {
  if (!(error instanceof Busy) && !(error instanceof CircuitOpen)) return error;
  const text = error instanceof Busy ? error.message : "The provider is failing.";
  return new Refusal("provider_unavailable", `${text} Try again later.`, {
    headers: { "retry-after": "1" },
  });
}
