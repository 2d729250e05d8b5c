import type { Surface } from "../route.ts";
import type { Caller } from "./access.ts";
import type { Context } from "./context.ts";

/** The bytes of request bodies that are held at one time, in this process. */
export interface Flights {
  open(caller: Caller | undefined): Flight;
  /** The bytes that are held for a caller. */
  heldFor(caller: Caller): number;
  /**
   * Makes room for what is kept of a request until what is returned is called. Nothing where less than half of the room
   * would be left for bodies.
   */
  keep(caller: Caller, bytes: number): (() => void) | undefined;
}

/** The body of one request, from its first byte until the request has ended. */
export interface Flight {
  /** Makes room for a body of this length before it is read. A 429 or 503 where there is none. */
  reserve(bytes: number): void;
  /** Counts bytes that came. As `reserve`, where they are more than that. */
  add(bytes: number): void;
  /** The body is let go. */
  end(): void;
}

/** Takes a place for a caller, or throws where none is left. What is returned gives it back. */
export type Take = (caller: Caller) => () => void;

/** Bounds how often each subject does something, in one process. */
export interface Rates {
  /** Milliseconds until the subject may do it again; 0 where it may now, which then counts. */
  take(subject: string): number;
}

/** A request among those that its key has under way. */
export interface Place {
  /** Sets aside the tokens that the request may come to. Refuses where nothing is left of the minute. */
  reserve(tokens: number): Promise<void> | undefined;
  /** Ends the request, with the tokens that it came to. Again, it does nothing. Never rejects. */
  end(tokens?: number): Promise<void> | undefined;
}

/** Lets requests in that count against the limits of their keys. */
export interface Places {
  /** Refuses with 429 where a limit is reached. What is left of the limits goes into the headers of the answer. */
  enter(context: Context, surface: Surface): Promise<Place> | Place;
}

/** The WebSockets that are open in this process. */
export interface Sockets {
  take: Take;
  /** Has `close` called when the service stops, until what is returned is called. */
  onStop(close: () => void): () => void;
  stop(): void;
}

/** The streams that run for each key, in this process. */
export interface Streams {
  /**
   * Runs `work` as one stream of the caller, from now until it ends, which is after its settlement. A 429 where the
   * caller has as many as are allowed.
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

/** Does work that holds up all other requests. Rejects with the signal's reason where that comes before its turn. */
export type Heavy = <T>(owner: string, work: () => T, signal?: AbortSignal) => Promise<T>;
