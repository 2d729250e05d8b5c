import type { Usage } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Cap, CapStatus, Counts, Modality, Price, ProviderError } from "@manifold-gateway/store";
import type { Refusal } from "../http/refusal.ts";
import type { Caller } from "./access.ts";
import type { Labels } from "./context.ts";

/** A generation before its first call. */
export interface Opening {
  id: string;
  caller: Caller;
  modality: Modality;
  model: string;
  /** The request as the record may store it, possibly as JSON text. */
  request: JsonObject | string;
  price: Price;
  /** The most that the generation will use: the basis of the hold. */
  usage: Usage & Counts;
  /** The hold in micro-USD, if a fallback may cost more than the first entry. Default: the price of `usage`. */
  amount?: number;
  /** The amount is the exact cost, known before the call: the balance has to cover it. */
  exact?: true;
  labels?: Labels;
  /** The name of the surface that received the request. */
  surface?: string;
}

/** A reply as it is kept for its record. */
export interface ReplyText {
  /** Takes bytes of the provider's reply. */
  push(bytes: Uint8Array): void;
  /** Its canonical form as JSON text, without credentials, once it has ended; undefined if there is none. */
  text(): string | undefined;
}

/** What was used, in the units of prices. */
export type Used = Usage & Counts & { estimated?: boolean };

/** The end of a generation. Without `usage` nothing was generated, so nothing is charged. */
export interface Outcome {
  status: "succeeded" | "failed" | "aborted" | "cancelled";
  usage?: Used;
  durationMs: number;
  /** The entry that served the request, the alternatives, the attempts and the losses. */
  route: JsonObject;
  /** The price of the entry that served it, if another than the first did. */
  price?: Price;
  /** What providers answered to attempts that they refused. The settlement does not wait for it. */
  errors?: readonly Promise<ProviderError | undefined>[];
  /** The reply, if it is kept. It is read after the settlement. */
  reply?: ReplyText;
}

/** A hold on the caller's credit. */
export interface Hold {
  /** Records the usage so far, and the price as in an outcome: recovery charges it if this process dies. */
  checkpoint(usage: Used, price?: Price): Promise<void>;
  /**
   * Turns the hold into the cost of the usage, once. Resolves after the commit, with the cost in micro-USD. Rejects
   * if the cost could not be written, or if the generation has already ended otherwise: the answer must then not be
   * sent to its end.
   */
  settle(outcome: Outcome): Promise<number>;
}

/** The credit that a hold would find, in micro-USD. */
export interface Headroom {
  /** The balance minus its holds. */
  available: number;
  caps: { [cap in Cap]?: CapStatus };
  /** The refusal that the hold would get. */
  refusal?: Refusal;
}

/** Holds credit before a call and settles it afterwards. */
export interface Billing {
  /** The most bytes that records keep of a reply; absent if they keep none. */
  replyBytes?: number | undefined;
  /**
   * Throws a 403 if the balance is used up, and a 429 if a cap is reached. A promise only if it waits: for a database,
   * unless the credit was reserved before.
   */
  hold(opening: Opening): Hold | Promise<Hold>;
  /** Checks whether a hold would succeed, without changing anything. Absent: nothing is held. */
  headroom?(opening: Omit<Opening, "id">): Promise<Headroom>;
}
