import type { Directives } from "@manifold-gateway/simulator";
import type { Chance } from "../chance.ts";

/** What the simulator does with calls to come: see its directives. */
export interface Script {
  directives: string | Partial<Directives>;
  operation: string;
}

/** A request of the traffic. */
export interface Ask {
  path: string;
  body: object;
  scripts?: readonly Script[];
  /** The client leaves after the first bytes of the answer. */
  leaves?: boolean;
  /** Where the job that it orders is read, up to its id; the answer names it. */
  job?: string;
  /** The job is given up as soon as it is ordered. */
  givesUp?: boolean;
}

/** Makes a request to one of these models. */
export type Asking = (chance: Chance, models: readonly string[]) => Ask;
