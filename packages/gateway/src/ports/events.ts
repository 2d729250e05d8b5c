import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Observer } from "./observer.ts";
import type { CircuitState } from "./routing.ts";

/** `gap`: events were dropped, because the listener was too slow. */
export type EventName = "request" | "attempt" | "settled" | "job" | "circuit" | "gap";

/** An event as one listener receives it. */
export interface ListenerEvent {
  event: EventName;
  data: JsonObject;
}

/** Live events of a process. Without listeners they cost nothing. */
export interface Events {
  /** Turns observed requests and jobs into events. Absent without listeners. */
  observer(): Observer | undefined;
  /** Reports that a circuit opened or closed: that of one account, or the common one. */
  circuit(entry: string, state: CircuitState, account?: string): void;
  /** Listens to the events of one account or, without `account`, of all. Throws if there are too many listeners. */
  listen(who: { owner: string; account?: string }): Listener;
  /** Ends all listeners, for good. */
  stop(): void;
}

/** A listener. It keeps a limited number of events for a slow reader, and counts the dropped ones. */
export interface Listener {
  /** Returns the events since the last call, oldest first. If some were dropped, a `gap` comes before them. */
  take(): ListenerEvent[];
  /** Resolves when there is an event, when the listener ends, or after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  readonly isOver: boolean;
  close(): void;
}
