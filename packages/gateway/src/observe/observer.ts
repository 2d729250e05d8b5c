import type { Protocol } from "@manifold/core";
import type { Opening, Outcome } from "../billing.ts";

/**
 * Told of what a gateway does, while it does it: metrics and traces are made of it. Nothing waits for an observer,
 * and it must not throw. Without one nothing is done for it.
 */
export interface Observer {
  /** A request came. What is returned is told of the rest of it. */
  started(request: ObservedRequest): Watch | undefined;
}

/** Follows one request. */
export interface Watch {
  /** A call to a provider begins. */
  attempt?(attempt: ObservedAttempt): AttemptWatch | undefined;
  /** The head of the answer goes out. */
  firstByte?(): void;
  /** A generation ended, and its end is committed. */
  settled?(generation: Settled): void;
  /** The answer ended with this status; 0 where there was none. Called once, at last. */
  ended?(status: number): void;
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
  /** The row's path with its surface's prefix, never the path that was asked for. */
  route: string;
  header(name: string): string | undefined;
}

export interface ObservedAttempt {
  operation: "chat" | "embeddings";
  provider: string;
  origin: string;
  /** The provider's name for the model. */
  name: string;
  protocol: Protocol;
  stream: boolean;
}

export interface Settled extends Pick<Opening, "id" | "modality" | "model">, Outcome {
  /** Micro-USD. */
  cost: number;
}
