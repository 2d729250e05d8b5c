import type { Loss } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { KyInstance } from "ky";
import type { Keyed } from "../credentials.ts";
import type { Auth, Provider } from "../provider.ts";

/** The operations of providers beside text and embeddings. */
export type Operation = "image" | "video" | "speech" | "asset";

/** The wires of these operations, by whose clients they are shaped for. */
export type Wire = "chatstyle" | "genstyle" | "mediastyle" | "routerstyle" | "speechstyle";

/** A provider's service for one operation. */
export interface Service extends Keyed {
  wire: Wire;
  /** Scheme, host and port. */
  origin: string;
  /** The path that its endpoints stand below. */
  base: string;
  auth: Auth;
  /** Sent with every call: what else identifies the operator to it. */
  headers?: Record<string, string>;
  /** Milliseconds to the first byte of what makes something, and between two bytes of any answer. */
  timeouts?: Provider["timeouts"];
  /**
   * The credentials of calls that are signed instead of carrying a key; `project` is the one that work is done in.
   */
  signing?: { accessKey: string; secretKey: string; region: string; service: string; project?: string };
  /** Audio is requested as server-sent events, where the wire has it in two framings. */
  events?: true;
}

/** An adapter's connection to its provider. */
export interface Line {
  service: Service;
  /** Calls of any length; statuses and retries are the adapter's. */
  client: KyInstance;
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The provider's own name for the model. */
  model: string;
  /** A stable pseudonym of who asks, for wires that want one. */
  user: string;
  /** When the work is given up, in milliseconds since the epoch. */
  deadline?: number;
  /** Puts bytes at a short-lived public address, where the operator has one. */
  publish?(bytes: Uint8Array, mediaType: string): Promise<string>;
}

/** The reason why work did not end well. */
export interface Trouble {
  /** `refused`: the caller's own doing; `unavailable`: another try or another provider may do. */
  kind: "refused" | "moderated" | "unavailable" | "misconfigured" | "expired" | "internal";
  /** The message for the caller. */
  message: string;
  /** The provider's own code and status, where it gave them. */
  code?: string;
  status?: number;
  /** The provider's answer where it refused a call, without our credential. */
  body?: JsonObject;
  /** Milliseconds, as the provider asked. */
  retryAfter?: number;
}

/** The progress of work. */
export type Progress<Result> =
  | {
      state: "queued" | "running";
      /** The fault that kept this poll from being answered: the work stands where it last stood. */
      trouble?: Trouble;
    }
  | { state: "succeeded"; result: Result }
  | { state: "failed" | "cancelled"; trouble: Trouble };

/**
 * A provider's code for an operation that is not a protocol. An ask has passed the checks of its model entry.
 * Answers are values; what fails below HTTP is thrown as `UpstreamFault`.
 */
export interface Adapter<Ask, Result, Preview = never> {
  /** The losses of a request on this wire, found without a call: a reason to refuse where the caller is strict. */
  losses?(ask: Ask): Loss[];
  /** Media has to be bytes before it is submitted: the wire takes no addresses. */
  inline?: true;
  /** `submit` can report previews. */
  previews?: true;
  /**
   * Begins the work: the provider's id of it, or its end where the provider answers at once. A fault of any kind but
   * `connect` leaves open whether the work has begun.
   */
  submit(
    line: Line,
    ask: Ask,
    preview?: (preview: Preview) => void,
  ): Promise<{ id: string } | Progress<Result>>;
  /** Reads the state of the work. Absent: `submit` is always the end of it. */
  poll?(line: Line, id: string): Promise<Progress<Result>>;
  /** Asks the provider to stop; what it says is read by the next poll. */
  cancel?(line: Line, id: string): Promise<void>;
  /** Opens an output, counted from 0, where the address alone does not. */
  content?(line: Line, id: string, index: number): Promise<{ response: Response } | { trouble: Trouble }>;
}
