import type { Directives } from "@manifold-gateway/simulator";
import type { Random } from "../random.ts";

/** The simulator's behaviour for the next calls: see its directives. */
export interface Script {
  directives: string | Partial<Directives>;
  operation: string;
}

/** A request of the traffic. */
export interface TrafficRequest {
  path: string;
  body: object;
  scripts?: readonly Script[];
  /** True if the client leaves after the first bytes of the answer. */
  leaves?: boolean;
  /** The path at which the job is read; the id from the answer is appended. */
  job?: string;
  /** True if the client cancels the job at once. */
  cancels?: boolean;
}

/** Creates a request for one of these models. */
export type CreateRequest = (random: Random, models: readonly string[]) => TrafficRequest;
