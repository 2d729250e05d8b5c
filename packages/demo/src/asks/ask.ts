import type { Directives } from "@manifold-gateway/simulator";
import type { Chance } from "../chance.ts";

/** The simulator's behaviour for the next calls: see its directives. */
export interface Script {
  directives: string | Partial<Directives>;
  operation: string;
}

/** A request of the traffic. */
export interface Ask {
  path: string;
  body: object;
  scripts?: readonly Script[];
  /** Whether the client leaves after the first bytes of the answer. */
  leaves?: boolean;
  /** The path at which the ordered job is read, without its id, which the answer contains. */
  job?: string;
  /** Whether the job is cancelled as soon as it is ordered. */
  givesUp?: boolean;
}

/** Creates a request for one of these models. */
export type Asking = (chance: Chance, models: readonly string[]) => Ask;
