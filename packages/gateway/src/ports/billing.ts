import type { Usage } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Cap, CapStatus, Price } from "@manifold-gateway/store";
import type { Refusal } from "../http/refusal.ts";
import type { Caller } from "./access.ts";
import type { Labels } from "./context.ts";

/** A generation at its beginning. */
export interface Opening {
  id: string;
  caller: Caller;
  modality: "text" | "image" | "video" | "audio";
  model: string;
  /** The request as its record may hold it, also as JSON text. */
  request: JsonObject | string;
  price: Price;
  /** The most it will use: what is held for. */
  usage: Usage;
  /** Micro-USD to hold, where a dearer entry than the first may come to serve it. Default: the price of `usage`. */
  amount?: number;
  /** The amount is the cost, known before the call: the balance has to cover it. */
  exact?: true;
  labels?: Labels;
  /** The name of the surface that it comes by. */
  surface?: string;
}

/** The end of a generation. `usage` absent: nothing was generated, nothing is charged. */
export interface Outcome {
  status: "succeeded" | "failed" | "aborted" | "cancelled";
  usage?: Usage & { estimated?: boolean };
  durationMs: number;
  /** The route it took: the entry that served it, the alternatives, the attempts and the losses. */
  route: JsonObject;
  /** Of the entry that served it, where that is not the one it began with. */
  price?: Price;
}

/** A hold on the caller's credit. */
export interface Hold {
  /** Notes what was used so far, and `price` as in an outcome: what is charged should this process die. */
  checkpoint(usage: NonNullable<Outcome["usage"]>, price?: Price): Promise<void>;
  /**
   * Turns the hold into the cost of what was used, once. Resolves after the commit, with that cost in micro-USD.
   * Rejects where it is not written, also because another end of the generation stands: the answer must then not be
   * sent to its end.
   */
  settle(outcome: Outcome): Promise<number>;
}

/** The outcome that a hold would have. Micro-USD. */
export interface Headroom {
  /** Of the balance, holds taken off. */
  available: number;
  caps: { [cap in Cap]?: CapStatus };
  /** The refusal that the hold would meet. */
  refusal?: Refusal;
}

/** Credit is held before a call and settled after it. */
export interface Billing {
  /** Refuses with 403 where the balance is used up and 429 where a cap is reached. */
  hold(opening: Opening): Promise<Hold>;
  /** Looks whether a hold would be given, and changes nothing. Absent: nothing is held. */
  headroom?(opening: Omit<Opening, "id">): Promise<Headroom>;
}
