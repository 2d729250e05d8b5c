import type { Provider, Transport } from "@manifold-gateway/providers";
import type { Objects, Store } from "@manifold-gateway/store";
import type { Clock } from "../jobs/clock.ts";
import type { BatchLimits } from "../ports/limits.ts";
import type { Log } from "../ports/log.ts";
import type { Services } from "../ports/services.ts";

/** The dependencies of running batches. */
export interface BatchDeps {
  readonly store: Store;
  readonly objects: Objects;
  /** The providers by id, for upstream batches. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly transport: Transport;
  readonly policy: "threshold" | "strict";
  readonly limits: BatchLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** The name of this process in its leases. */
  readonly owner: string;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
  /** Answers a request by a route that lines of batches can name, with some of the services replaced. */
  send(request: Request, exchanged: Partial<Services>): Promise<Response>;
  /** The prefix of a surface's paths, by the surface's name. */
  prefixOf(surface: string): string;
}
