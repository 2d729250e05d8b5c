import { type CircuitOptions, circuitDefaults } from "./circuit.ts";
import { createGates, type Gates } from "./gates.ts";
import { createHealth, type Health } from "./health.ts";
import { createSticky, type Sticky } from "./sticky.ts";

/** How requests find their way, and what happens where one fails. */
export interface RoutingOptions {
  /** The most calls to providers that one request may come to. */
  attempts: number;
  /**
   * `answer`: a failure after which the provider may have generated, and charged, something is the caller's answer.
   * `next`: another entry is asked all the same; the record says that both may have been charged.
   */
  unclear: "answer" | "next";
  /** See `AttemptOptions.patience`. Default 1,000. */
  patience: number;
  circuit: Partial<CircuitOptions>;
}

/** What routing remembers, in this process. */
export interface Routing {
  health: Health;
  gates: Gates;
  sticky: Sticky;
  /** The most attempts. */
  most: number;
  /** See `RoutingOptions.unclear`. */
  unclear: boolean;
  patience: number;
}

export function createRouting(options: Partial<RoutingOptions>, now: () => number): Routing {
  return {
    health: createHealth({ ...circuitDefaults, ...options.circuit }, now),
    gates: createGates(),
    sticky: createSticky(),
    most: options.attempts ?? 3,
    unclear: options.unclear === "next",
    patience: options.patience ?? 1_000,
  };
}
