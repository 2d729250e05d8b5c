import type { Loss } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { KyInstance } from "ky";
import type { Keyed } from "../credentials.ts";
import type { Identity } from "../identity/index.ts";
import type { Auth, Provider } from "../provider.ts";

/** The operations of providers besides text and embeddings. */
export type Operation = "image" | "video" | "speech" | "asset";

/** The wires of these operations, named after the clients for which they are designed. */
export type Wire =
  | "chatstyle"
  | "genstyle"
  | "liststyle"
  | "mediastyle"
  | "outputstyle"
  | "pixelstyle"
  | "predictstyle"
  | "ratiostyle"
  | "rerankstyle"
  | "routerstyle"
  | "scorestyle"
  | "searchstyle"
  | "searchstyle1"
  | "speechstyle"
  | "topstyle";

/** A provider's service for one operation. */
export interface Service extends Keyed {
  /** The wire that it speaks. */
  wire: Wire;
  /** Scheme, host and port. */
  origin: string;
  /** The base path of its endpoints. */
  base: string;
  /** How calls are authenticated. */
  auth: Auth;
  /** Authenticates calls in place of a key. */
  identity?: Identity;
  /** The headers of every call, which further identify the operator. */
  headers?: Record<string, string>;
  /** The milliseconds to the first byte of a call that does the work, and between two bytes of any answer. */
  timeouts?: Provider["timeouts"];
  /**
   * The credentials of signed calls, which have no key; `project` is the project in which work is done.
   */
  signing?: { accessKey: string; secretKey: string; region: string; service: string; project?: string };
  /** True to request audio as server-sent events, if the wire offers two framings. */
  events?: true;
  /** The most inputs of one call for embeddings, where the provider takes fewer than its wire. */
  maxInputs?: number;
}

/** An adapter's connection to its provider. */
export interface Line {
  /** Where the provider is, and the headers of its calls. */
  service: Service;
  /** The client for calls of any length; the adapter handles statuses and retries. */
  client: KyInstance;
  /** Ends all calls when the work is given up. */
  signal: AbortSignal;
  /** The time in milliseconds since the epoch. */
  now(): number;
  /** The provider's own name for the model. */
  model: string;
  /** A stable pseudonym of the caller, for wires that require one. */
  user: string;
  /** The time at which the work is given up, in milliseconds since the epoch. */
  deadline?: number;
  /** Publishes bytes at a short-lived public address; absent if the operator has none. */
  publish?(bytes: Uint8Array, mediaType: string): Promise<string>;
}

/** The reason why work failed. */
export interface Trouble {
  /** `refused`: caused by the caller; `unavailable`: another try or another provider may succeed. */
  kind: "refused" | "moderated" | "unavailable" | "misconfigured" | "expired" | "internal";
  /** The message for the caller. */
  message: string;
  /** The provider's own code and status, if it gave them. */
  code?: string;
  /** The HTTP status of the provider's answer. */
  status?: number;
  /** The provider's answer to a refused call, with the credential removed. */
  body?: JsonObject;
  /** The wait that the provider requested, in milliseconds. */
  retryAfter?: number;
}

/** The progress of work. */
export type Progress<Result> =
  | {
      state: "queued" | "running";
      /** The trouble that left this poll without an answer: the work's state is unchanged. */
      trouble?: Trouble;
    }
  | { state: "succeeded"; result: Result }
  | { state: "failed" | "cancelled"; trouble: Trouble };

/** A provider's file: the answer with its bytes, or an address elsewhere that needs no key. */
export type OpenedFile = { response: Response } | { url: string };

/**
 * A provider's code for an operation that has no protocol. Its requests have passed the checks of their model entry.
 * Answers are values; failures below HTTP are thrown as `UpstreamFault`.
 */
export interface Adapter<Ask, Result, Preview = never> {
  /** The losses of a request on this wire, found without a call; a strict caller's request is refused for them. */
  losses?(ask: Ask): Loss[];
  /** True if the wire takes no addresses, so that media must be loaded before it is submitted. */
  inline?: true;
  /** True if the wire takes a mask beside its pictures. */
  masks?: true;
  /** True if `submit` can report previews. */
  previews?: true;
  /**
   * Begins the work and returns the provider's id of it, or its end if the provider answers at once. After a fault of
   * any kind but `connect` and `token`, the work may or may not have begun.
   */
  submit(
    line: Line,
    ask: Ask,
    preview?: (preview: Preview) => void,
  ): Promise<{ id: string } | Progress<Result>>;
  /** Reads the state of the work. Absent: `submit` always returns its end. */
  poll?(line: Line, id: string): Promise<Progress<Result>>;
  /** Requests the provider to stop; the next poll reads the outcome. */
  cancel?(line: Line, id: string): Promise<void>;
  /** Opens an output, counted from 0, if its address alone does not give access. */
  content?(line: Line, id: string, index: number): Promise<OpenedFile | { trouble: Trouble }>;
}
