import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Observer } from "./observer.ts";
import type { CircuitState } from "./routing.ts";

/** `gap`: events were left out, because the listener was slower than they came. */
export type EventName = "request" | "attempt" | "settled" | "job" | "circuit" | "gap";

/** Something that happened, as one listener is told of it. */
export interface Told {
  event: EventName;
  data: JsonObject;
}

/** Those who listen to a process while it works. Without any of them nothing is done for events. */
export interface Events {
  /** Makes events of what requests and jobs do. Absent while nobody listens. */
  observer(): Observer | undefined;
  /** A circuit opened or closed: that of one account, or the common one. */
  circuit(entry: string, state: CircuitState, account?: string): void;
  /** Listens to the events of an account, or without one to all of them. Refuses where too many listen. */
  listen(who: { owner: string; account?: string }): Listener;
  /** Ends all listening, for good. */
  stop(): void;
}

/** One who listens. It keeps so many events for a slow reader, and counts those that it lets go. */
export interface Listener {
  /** What happened since the last time, oldest first; a `gap` goes before it where something was left out. */
  take(): Told[];
  /** Resolves when something happens, when listening ends, or after so many milliseconds. */
  wait(ms: number): Promise<void>;
  readonly isOver: boolean;
  close(): void;
}
