import type { Surface } from "../route.ts";
import type { Caller } from "./access.ts";
import type { RequestContext } from "./context.ts";
import type { Services } from "./services.ts";

/** Limits the bytes of request bodies in this process's memory. */
export interface BodyMemory {
  open(caller: Caller | undefined): BodyUse;
  /** The bytes in memory for a caller. */
  heldFor(caller: Caller): number;
  /**
   * Reserves room for data kept from a request, until the returned function is called. `undefined` if less than half
   * of the room would be left for bodies.
   */
  keep(caller: Caller, bytes: number): (() => void) | undefined;
}

/** The memory that the body of one request uses, counted from its first byte to the end of the request. */
export interface BodyUse {
  /** Reserves room for a body of this length before it is read. Throws a 429 or 503 if there is none. */
  reserve(bytes: number): void;
  /** Counts bytes on arrival. Throws like `reserve` if they exceed the reserved room. */
  add(bytes: number): void;
  /** Frees the room. */
  end(): void;
}

/** Takes a slot for a caller, or throws if none is free. The returned function frees it. */
export type Take = (caller: Caller) => () => void;

/** Limits how often each subject may do something, in one process. */
export interface Rates {
  /** The milliseconds until the subject may do it again; 0 if it may now, which is counted. */
  take(subject: string): number;
}

/** The slot of a running request within the limits of its key. */
export interface KeySlot {
  /** Reserves the tokens that the request may use. Throws a 429 if the key's limit of the minute is reached. */
  reserve(tokens: number): Promise<void> | undefined;
  /** Ends the request, with the tokens that it used. Further calls do nothing. Never rejects. */
  end(tokens?: number): Promise<void> | undefined;
}

/** A request to which the limits of its key apply. */
export interface RatedContext extends Pick<RequestContext, "id" | "exchange"> {
  readonly surface: Pick<Surface, "rates">;
  readonly services: Pick<Services, "now" | "id" | "log">;
}

/** Admits requests within the limits of their keys. */
export interface KeyLimits {
  /** Throws a 429 if a limit is reached. The answer's headers report what is left of the limits. */
  enter(context: RatedContext, caller: Caller): Promise<KeySlot> | KeySlot;
}

/** The open WebSockets of this process. */
export interface Sockets {
  take: Take;
  /** Calls `close` when the service stops, unless the returned function was called before. */
  onStop(close: () => void): () => void;
  stop(): void;
}

/** The running streams of each key, in this process. */
export interface Streams {
  /** A stream keeps its slot until it is settled. Throws a 429 if the caller has too many. */
  take: Take;
}

/** Runs work that blocks the event loop. Rejects with the signal's reason if it aborts before the work's turn. */
export type ParseQueue = <T>(owner: string, work: () => T, signal?: AbortSignal) => Promise<T>;
