import type { JsonObject, Usage } from "@manifold/core";
import type { Price } from "@manifold/store";
import type { Caller } from "./access.ts";

/** What a generation is when it begins. */
export interface Opening {
  id: string;
  caller: Caller;
  modality: "text" | "image" | "video" | "audio";
  model: string;
  /** The request as its record may hold it. */
  request: JsonObject;
  price: Price;
  /** The most it will use: what is held for. */
  usage: Usage;
}

/** How a generation ended. `usage` absent: nothing was generated, nothing is charged. */
export interface Outcome {
  status: "succeeded" | "failed" | "aborted" | "cancelled";
  usage?: Usage & { estimated?: boolean };
  durationMs: number;
  /** Which entry served it. */
  route: { provider: string; name: string; protocol: string };
}

/** A hold on the caller's credit. */
export interface Hold {
  /** Notes what was used so far: what is charged should this process die. */
  checkpoint(usage: NonNullable<Outcome["usage"]>): Promise<void>;
  /** Turns the hold into the cost of what was used, once; later calls change nothing. Resolves after the commit. */
  settle(outcome: Outcome): Promise<void>;
}

/** Credit is held before a call and settled after it. */
export interface Billing {
  /** Refuses with 403 where the balance is used up and 429 where a cap is reached. */
  hold(opening: Opening): Promise<Hold>;
}
