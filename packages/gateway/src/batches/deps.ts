import type { Provider, Transport } from "@manifold-gateway/providers";
import type { Objects, Store } from "@manifold-gateway/store";
import type { Clock } from "../jobs/clock.ts";
import type { BatchLimits } from "../ports/limits.ts";
import type { Log } from "../ports/log.ts";
import type { Services } from "../ports/services.ts";

/** What running batches needs. */
export interface BatchDeps {
  readonly store: Store;
  readonly objects: Objects;
  /** The providers by id, for the batches that they run by themselves. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly transport: Transport;
  readonly policy: "threshold" | "strict";
  readonly limits: BatchLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** The name of this process on its leases. */
  readonly owner: string;
  /** Random figures from 0 to 1. */
  random(): number;
  /** Answers a request by the routes that batches may have, with some of the services replaced. */
  send(request: Request, exchanged: Partial<Services>): Promise<Response>;
  /** The prefix of a surface's paths. */
  prefixOf(surface: string): string;
}
