import type { JobKind, JobState } from "@manifold-gateway/store";
import type { Caller } from "./access.ts";
import type { Opening, Outcome } from "./billing.ts";

/**
 * Observes a gateway while it works: metrics and traces are made of it. Nothing waits for an observer, and it must
 * not throw. Without one nothing is done for it.
 */
export interface Observer {
  /** A request came. What is returned observes the rest of it. */
  started(request: ObservedRequest): Watch | undefined;
  /** A worker takes a job a step further, or its caller gives it up. What is returned observes that step. */
  stepped?(job: ObservedJob): JobWatch | undefined;
  /** An event was sent to a webhook endpoint. */
  delivered?(delivery: ObservedDelivery): void;
}

export interface ObservedDelivery {
  /** The endpoint's name. */
  endpoint: string;
  /** Of the event. */
  type: string;
  /** The status of the answer, or the kind of fault where there was none. */
  outcome: number | string;
}

/** Follows one request. */
export interface Watch {
  /** Its caller is let in, and it is to make a generation. */
  admitted?(caller: Caller): void;
  /** A call to a provider begins. */
  attempt?(attempt: ObservedAttempt): AttemptWatch | undefined;
  /** The request orders a job of this id. Called before the first step of it; the order may yet be refused. */
  ordered?(id: string): void;
  /** The head of the answer goes out. */
  firstByte?(): void;
  /** A generation ended, and its end is committed. */
  settled?(generation: Settled): void;
  /** The provider answered in a way that it bills otherwise, and that has no price here. */
  unpriced?(answer: { provider: string; what: "model" | "mode" | "calls" }): void;
  /** The provider reported a figure of tokens or calls that cannot be, and that is estimated instead. */
  impossible?(answer: { provider: string; figure: "input" | "output" | "calls" }): void;
  /** The answer ended with this status; 0 where there was none. Called once, at last. */
  ended?(status: number): void;
}

/** Follows one step of a job. */
export interface JobWatch {
  /** A call to a provider begins. */
  attempt?(attempt: ObservedAttempt): AttemptWatch | undefined;
  /** The job ended, and its end is committed. */
  settled?(end: SettledJob): void;
  /** The step ended. Called once, at last; `fault` where it failed for an unforeseen reason. */
  ended?(fault?: string): void;
}

/** Follows one call to a provider, up to the head of its answer. */
export interface AttemptWatch {
  /** Sent along with the call. */
  headers?: Record<string, string>;
  answered?(status: number): void;
  /** It got no answer; the kind of fault. */
  failed?(fault: string): void;
}

export interface ObservedRequest {
  /** The `x-request-id`. */
  id: string;
  surface: string;
  method: string;
  /** The row's path with its surface's prefix, never the requested path. */
  route: string;
  header(name: string): string | undefined;
}

export interface ObservedAttempt {
  /** The kind of call: text is answered within one; jobs are submitted, polled, fetched and cancelled. */
  operation: "chat" | "embeddings" | "submit" | "poll" | "fetch" | "cancel";
  provider: string;
  origin: string;
  /** The provider's name for the model. */
  name: string;
  /** The format of the request: a protocol, or a job's wire. */
  protocol: string;
  stream: boolean;
}

/** `price` is the one that it is charged by. */
export interface Settled
  extends Pick<Opening, "id" | "modality" | "model" | "price">,
    Omit<Outcome, "price"> {
  /** Micro-USD. */
  cost: number;
}

export interface ObservedJob {
  /** Of its generation too, where it is billed; of its asset, where it is one. */
  id: string;
  kind: JobKind;
  accountId: string;
  /** Of its generation. Absent where nothing is billed. */
  modality?: Opening["modality"];
  /** The caller's name for it. */
  model: string;
  /** The phase it had reached: `unsent`, `sending`, `accepted`, `answered`. */
  phase: string;
  /** Absent where no provider takes part. `id`: the neutral id of the model entry. */
  entry?: { id: string; provider: string; name: string };
}

export interface SettledJob {
  status: Exclude<JobState, "queued" | "running">;
  /** Micro-USD. */
  cost: number;
  /** The price that it is charged by. Absent where nothing is billed. */
  price?: Opening["price"];
  /** Since it was ordered. */
  durationMs: number;
  /** The kind of what went wrong. */
  error?: string;
  /** The provider may be working on it, or have worked, without our ever hearing of it. */
  orphan: boolean;
}
