import type { ImpossibleFigure } from "@manifold-gateway/core/codec";
import type { JobKind, JobState, Unit } from "@manifold-gateway/store";
import type { Caller } from "./access.ts";
import type { Opening, Outcome } from "./billing.ts";
import type { GuardDecision } from "./guards.ts";

/**
 * Observes a running gateway, for metrics and traces. The gateway does not wait for it, and it must not throw.
 * Without an observer, observing costs nothing.
 */
export interface Observer {
  /** A request arrived. The result observes the rest of it. */
  started(request: ObservedRequest): Watch | undefined;
  /** A worker begins a step of a job, or the caller cancels it. The result observes that step. */
  stepped?(job: ObservedJob): JobWatch | undefined;
  /** An event was sent to a webhook endpoint. */
  delivered?(delivery: ObservedDelivery): void;
}

/** An event that was sent to a webhook endpoint. */
export interface ObservedDelivery {
  /** The endpoint's name. */
  endpoint: string;
  /** The event's type. */
  type: string;
  /** The status of the answer, or the kind of fault if there was none. */
  outcome: number | string;
}

/** Follows one request. */
export interface Watch {
  /** The caller was authenticated, and the request will be a generation. */
  admitted?(caller: Caller): void;
  /** A call to a provider begins. */
  attempt?(attempt: ObservedAttempt): AttemptWatch | undefined;
  /** The request orders a job with this id. Called before its first step; the order may still be refused. */
  ordered?(id: string): void;
  /** The head of the answer is being sent. */
  firstByte?(): void;
  /** A generation has ended, and its end was committed. */
  settled?(generation: Settled): void;
  /** A guard decided about texts of the request or its answer, or gave no answer. */
  guarded?(decision: GuardDecision): void;
  /** The answer came from the cache, which saved so many micro-USD. */
  cached?(answer: { saved: number }): void;
  /** The provider billed the answer in a way that has no price here. */
  unpriced?(answer: { provider: string; item: "model" | "mode" | "calls" }): void;
  /** The provider reported an impossible figure, which is estimated instead. */
  impossible?(answer: { provider: string; figure: ImpossibleFigure | Unit }): void;
  /** The answer ended with this status, or 0 if there was none. Called once, last of all. */
  ended?(status: number): void;
}

/** Follows one step of a job. */
export interface JobWatch {
  /** A call to a provider begins. */
  attempt?(attempt: ObservedAttempt): AttemptWatch | undefined;
  /** The job has ended, and its end was committed. */
  settled?(end: SettledJob): void;
  /** The step has ended. Called once, last of all; `fault` is present if it failed unexpectedly. */
  ended?(fault?: string): void;
}

/** Follows one call to a provider, until the head of its answer. */
export interface AttemptWatch {
  /** Headers to send with the call. */
  headers?: Record<string, string>;
  /** The head of the answer arrived with this status. */
  answered?(status: number): void;
  /** The call got no answer, for this kind of fault. */
  failed?(fault: string): void;
}

/** A request as it is observed: no body, no credential. */
export interface ObservedRequest {
  /** The `x-request-id`. */
  id: string;
  /** The name of its surface: `chatstyle`. */
  surface: string;
  /** `GET`, `POST`. */
  method: string;
  /** The path of the route with its surface's prefix, never the requested path. */
  route: string;
  /** A header of the request by its name, in lower case. */
  header(name: string): string | undefined;
}

/** A call to a provider as it is observed. */
export interface ObservedAttempt {
  /** The kind of call. Text takes a single call; jobs are submitted, polled, fetched and cancelled. */
  operation:
    | "chat"
    | "embeddings"
    | "transcription"
    | "speech"
    | "rerank"
    | "moderation"
    | "submit"
    | "poll"
    | "fetch"
    | "cancel";
  /** The provider's id. */
  provider: string;
  /** The origin that is called: `https://api.example.com`. */
  origin: string;
  /** The provider's name for the model. */
  name: string;
  /** The format of the request: a protocol, or a job's wire. */
  protocol: string;
  /** Whether the answer is requested as a stream. */
  stream: boolean;
}

/** A settled generation. `price` is the price that was charged. */
export interface Settled
  extends Pick<Opening, "id" | "modality" | "model" | "price">,
    Omit<Outcome, "price"> {
  /** Micro-USD. */
  cost: number;
}

/** A job as it is observed. */
export interface ObservedJob {
  /** The job's id. If it is billed, its generation has the same id; if it checks an asset, the asset has. */
  id: string;
  /** What it makes or checks. */
  kind: JobKind;
  /** The account that ordered it. */
  accountId: string;
  /** The modality of its generation. Absent if nothing is billed. */
  modality?: Opening["modality"];
  /** The model's name as the caller sent it. */
  model: string;
  /** The phase at the beginning of the step: `unsent`, `sending`, `accepted` or `answered`. */
  phase: string;
  /** Absent if no provider takes part. `id` is the neutral id of the model entry. */
  entry?: { id: string; provider: string; name: string };
}

/** The end of a job. */
export interface SettledJob {
  /** How it ended. */
  status: Exclude<JobState, "queued" | "running">;
  /** Micro-USD. */
  cost: number;
  /** The price that was charged. Absent if nothing is billed. */
  price?: Opening["price"];
  /** Milliseconds since the order. */
  durationMs: number;
  /** The kind of error. */
  error?: string;
  /** The provider may be working on the job, or have done it, without our knowledge. */
  orphan: boolean;
}
