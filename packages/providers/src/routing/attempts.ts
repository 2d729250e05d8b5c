import type { Credential } from "../credentials.ts";
import type { Provider } from "../provider.ts";
import type { UpstreamResponse } from "../transport/transport.ts";
import type { CredentialChoice, CredentialPool } from "./credential-choice.ts";
import { type CredentialCall, noteAccepted, noteRefused } from "./credential-notes.ts";
import type { CircuitBreakers } from "./health.ts";
import type { PlanQueue } from "./plan-queue.ts";
import { providerFaultName } from "./provider-fault.ts";
import type { ProviderLimiter, Release } from "./provider-limiter.ts";
import { CircuitOpen, ProviderUnavailable } from "./provider-unavailable.ts";
import {
  credentialFaultOf,
  pauseOf,
  pausesEntry,
  type Verdict,
  verdictOfFault,
  verdictOfStatus,
} from "./verdict.ts";

/** The rules and the state for calls to providers, in this process. */
export interface CallRouting {
  /** The health of credentials. */
  credentials: CredentialPool;
  /** Absent: no circuit opens, and no entry pauses. */
  breakers?: CircuitBreakers;
  /** Absent: the `concurrency` of providers does not count. */
  limiter?: ProviderLimiter;
  /** The most calls for one request. */
  maxAttempts: number;
  /** Whether to call another entry after a failure for which the provider may have charged. */
  retryAmbiguousFailures: boolean;
  /** The longest pause before the last entry is called again, in milliseconds; 0: it is not. */
  maxRetryAfterWait: number;
}

/** The services that attempts use. */
export interface AttemptServices {
  /** The rules and the state of calls. */
  routing: CallRouting;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Measures the calls, in milliseconds since any point. */
  steady(): number;
}

/** One call to an entry. */
export interface Attempt {
  /** The id of the entry that was called. */
  entry: string;
  /** The provider's id. */
  provider: string;
  /** The name of the credential, where the provider has several. */
  credential?: string;
  /** The status of the answer. */
  status?: number;
  /** Why there was no answer. */
  fault?: string;
  /** Milliseconds to the head of the answer. */
  ms: number;
  /** The provider may have charged the call although it failed. */
  perhapsCharged?: true;
}

/** Sends the request planned for one entry, with one of its provider's credentials if there are several. */
export interface Sender<Plan> {
  /** Sends the request; rejects with `UpstreamFault` if there is no answer. */
  send(plan: Plan, credential: Credential | undefined): Promise<UpstreamResponse>;
  /** Takes the body of an error after which another call follows. Default: it is discarded. */
  discarded?(plan: Plan, attempt: Attempt, bytes: Promise<Uint8Array>): void;
}

/** The credentials with which an entry may be called: undefined if its provider has a single one. */
export interface CredentialChooser<Of> {
  /** The credentials for a candidate. */
  credentials(candidate: Of): CredentialChoice | undefined;
}

/** The attempt whose answer counts. */
export interface AnsweredCall<Plan> {
  /** The plan of the call. */
  plan: Plan;
  /** The credential of the call, if the provider has several. */
  credential: Credential | undefined;
  /** The answer: its head, and its unread body. */
  response: UpstreamResponse;
}

/** A model at a provider, which can be called. */
export interface CallTarget {
  /** The id for records and circuits. */
  id: string;
  /** The provider that is called. */
  provider: Provider;
}

interface PlanWithTarget {
  resolution: CallTarget;
}

/** The plans in order: the next one is called if the failure of a call may not concern it. */
type Plans<Plan> = Pick<PlanQueue<Plan>, "first" | "next">;

/** The most bytes of a discarded answer that are read, so that its connection can be used again. */
const MAX_DRAINED_BYTES = 64 * 1024;
/** The longest that it is read, in milliseconds: the body of an error that drips would keep its connection for good. */
const MAX_DRAIN_MS = 10_000;

/** A call of one entry. `tried` holds the credentials used for it so far, the current one last. */
interface EntryCall<Plan> {
  plan: Plan;
  choice: CredentialChoice | undefined;
  tried: readonly Credential[];
  /** True for the repeated call of the last entry, of which there is at most one. */
  repeated: boolean;
  /** Milliseconds before the call. */
  pause: number;
}

/** The outcome of a call that was not answered as requested. */
type FailedCall = ({ response: UpstreamResponse } | { error: unknown }) & {
  verdict: Verdict;
  /** A usable credential, if the refused one is to blame. */
  other?: Credential | undefined;
};

const noCredentials: readonly Credential[] = [];

/**
 * The calls to providers for one request: one at a time. A call occupies its provider's slot until the next call, or
 * until `close`.
 */
export class Attempts<Plan extends PlanWithTarget> {
  readonly #services: AttemptServices;
  /** The request's account. Its failures open its own circuit; those of several accounts open the common one. */
  readonly #account: string;
  readonly #sender: Sender<Plan>;
  /** The calls so far, to which each new one is added. */
  readonly #attempts: Attempt[];
  #release: Release | undefined = undefined;

  constructor(services: AttemptServices, account: string, sender: Sender<Plan>, attempts: Attempt[]) {
    this.#services = services;
    this.#account = account;
    this.#sender = sender;
    this.#attempts = attempts;
  }

  /**
   * Calls one entry after the other until one answers or no other may be called. Then the last provider's refusal is
   * returned, or the last error is thrown. By default a failed request is repeated only if it cannot have been charged:
   * with another credential if one was refused, else at the next entry, else once more at the last entry if that
   * demanded a short pause or could not be reached.
   */
  call(queue: Plans<Plan>, route?: CredentialChooser<Plan["resolution"]>): Promise<AnsweredCall<Plan>> {
    return this.#run(this.#callOf(queue.first(), route), queue, route);
  }

  /** Calls the entry that answered once more, with the same credential: an answer is never mixed from several. */
  callAgain({ credential }: Pick<AnsweredCall<Plan>, "credential">, plan: Plan): Promise<AnsweredCall<Plan>> {
    this.close();
    const choice = credential && { credentials: [credential], identity: () => "" };
    return this.#run(this.#callOf(plan, { credentials: () => choice }));
  }

  /** Frees the provider's slot, since the answer has been read or is not needed. */
  close(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async #run(
    first: EntryCall<Plan>,
    queue?: Plans<Plan>,
    route?: CredentialChooser<Plan["resolution"]>,
  ): Promise<AnsweredCall<Plan>> {
    const { steady, routing } = this.#services;
    for (let call = first; ; ) {
      const { plan, tried } = call;
      const { id, provider } = plan.resolution;
      const credential = tried.at(-1);
      const began = steady();
      const attempt: Attempt = credential
        ? { entry: id, provider: provider.id, credential: credential.name, ms: 0 }
        : { entry: id, provider: provider.id, ms: 0 };
      this.#attempts.push(attempt);
      let failed: FailedCall;
      try {
        const slot = routing.limiter?.enter(provider);
        this.#release = slot instanceof Promise ? await slot : slot;
        if (routing.breakers?.enter(id, this.#account) === false) throw new CircuitOpen();
        const response = await this.#sender.send(plan, credential);
        attempt.status = response.status;
        attempt.ms = Math.round(steady() - began);
        if (response.status < 400) {
          routing.breakers?.answered(id, this.#account, attempt.ms);
          if (credential) noteAccepted(routing.credentials, provider.id, credential, this.#refusedIn(call));
          return { plan, credential, response };
        }
        failed = this.#refused(call, attempt, response);
      } catch (error) {
        this.close();
        attempt.ms = Math.round(steady() - began);
        failed = this.#failed(attempt, error);
      }
      const next = this.#nextCall(call, failed, queue, route);
      if (!next) {
        if ("error" in failed) throw failed.error;
        return { plan, credential, response: failed.response };
      }
      if ("response" in failed) {
        const bytes = drain(failed.response);
        bytes.catch(() => {});
        this.#sender.discarded?.(plan, attempt, bytes);
      }
      this.close();
      if (next.pause > 0) await new Promise((resolve) => setTimeout(resolve, next.pause));
      call = next;
    }
  }

  #callOf(plan: Plan, route: CredentialChooser<Plan["resolution"]> | undefined): EntryCall<Plan> {
    const choice = route?.credentials(plan.resolution);
    const first = choice && this.#services.routing.credentials.pick(choice);
    return { plan, choice, tried: first ? [first] : noCredentials, repeated: false, pause: 0 };
  }

  /** The call after a failed one; undefined if no other may follow, or if the entry answered. */
  #nextCall(
    call: EntryCall<Plan>,
    outcome: FailedCall,
    queue: Plans<Plan> | undefined,
    route: CredentialChooser<Plan["resolution"]> | undefined,
  ): EntryCall<Plan> | undefined {
    const { maxAttempts, retryAmbiguousFailures } = this.#services.routing;
    const { elsewhere, charged } = outcome.verdict;
    if (!elsewhere || (charged === "perhaps" && !retryAmbiguousFailures)) return undefined;
    if (this.#attempts.length >= maxAttempts) return undefined;
    if (outcome.other) return { ...call, tried: [...call.tried, outcome.other], pause: 0 };
    const plan = queue?.next();
    if (plan !== undefined) return this.#callOf(plan, route);
    const pause = call.repeated ? undefined : this.#pauseAfter(outcome);
    return pause === undefined ? undefined : { ...call, repeated: true, pause };
  }

  /** Milliseconds until the same entry may be called again; undefined if that is not worth the wait. */
  #pauseAfter(outcome: FailedCall): number | undefined {
    const { routing, now } = this.#services;
    const { maxRetryAfterWait: maxWait } = routing;
    if ("error" in outcome) return outcome.verdict.failing && maxWait > 0 ? 0 : undefined;
    const pause = pauseOf(outcome.response.headers["retry-after"], now());
    return pause !== undefined && pause * 1000 <= maxWait ? pause * 1000 : undefined;
  }

  /** Records a refusal of the request, or of the credential if that is to blame. */
  #refused(call: EntryCall<Plan>, attempt: Attempt, response: UpstreamResponse): FailedCall {
    const { routing, now } = this.#services;
    const { breakers, credentials } = routing;
    const { status } = response;
    const verdict = verdictOfStatus(status);
    const pause = pauseOf(response.headers["retry-after"], now());
    const other = this.#otherCredential(call, status, pause);
    // While another credential is usable, the entry counts as healthy.
    this.#note(attempt, other ? { ...verdict, failing: false } : verdict);
    const { choice } = call;
    // With several credentials, the entry pauses until one of them may be used again.
    const rest = status === 429 && choice ? credentials.pauseOf(choice.credentials) / 1000 : pause;
    if (rest && !other && pausesEntry(status)) breakers?.cool(attempt.entry, rest);
    return { response, verdict, other };
  }

  /** Records a call without an answer. */
  #failed(attempt: Attempt, error: unknown): FailedCall {
    attempt.fault = error instanceof ProviderUnavailable ? error.fault : providerFaultName(error);
    const verdict = verdictOfFault(error);
    // A probe that another request sent is not over.
    if (!(error instanceof CircuitOpen)) this.#note(attempt, verdict);
    return { error, verdict };
  }

  #note(attempt: Attempt, verdict: Verdict): void {
    const { breakers } = this.#services.routing;
    if (verdict.charged === "perhaps") attempt.perhapsCharged = true;
    if (verdict.failing) breakers?.failed(attempt.entry, this.#account);
    else breakers?.inconclusive(attempt.entry, this.#account);
  }

  /** Records a refusal of the credential. Returns another one to retry with, if the credential is to blame. */
  #otherCredential(
    { plan, choice, tried }: EntryCall<Plan>,
    status: number,
    pause: number | undefined,
  ): Credential | undefined {
    const { credentials } = this.#services.routing;
    const credential = tried.at(-1);
    if (!choice || !credential || credentialFaultOf(status) === undefined) return undefined;
    noteRefused(credentials, plan.resolution.provider.id, { credential, status }, pause);
    return credentials.pick(choice, tried);
  }

  /** The calls of an entry with credentials that were refused before the current one. */
  #refusedIn({ tried }: EntryCall<Plan>): CredentialCall[] {
    return tried.slice(0, -1).flatMap((credential) => {
      const last = this.#attempts.findLast((attempt) => attempt.credential === credential.name);
      return last?.status === undefined ? [] : [{ credential, status: last.status }];
    });
  }
}

/** Reads an answer that is discarded. Rejects with `UpstreamFault` if it is too long, or takes too long. */
function drain({ body }: UpstreamResponse): Promise<Uint8Array> {
  const timer = setTimeout(() => body.cancel("timeout"), MAX_DRAIN_MS);
  return body.bytes(MAX_DRAINED_BYTES).finally(() => clearTimeout(timer));
}
