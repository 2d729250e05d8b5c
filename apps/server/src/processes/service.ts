import type { Reload } from "@manifold-gateway/gateway";
import type { Settings } from "../config/load.ts";

/**
 * `service`: no other process serves here, so `/ready` announces the stop. `replaced`: other processes take the new
 * connections. `orphaned`: the supervisor has ended, and another one may be waiting for the port.
 */
export type StopReason = "service" | "replaced" | "orphaned";

/** The result of a reload, for the log. */
export interface Reloaded {
  /** The ids of the models that changed, if this process knows them. */
  changed?: string[];
  /** The number of processes that now serve, if there are several. */
  processes?: number;
  /** The settings whose new values wait for a restart, by their paths in the file. */
  waiting?: string[];
  /** The findings of activated providers, as sentences. */
  findings: string[];
}

/** A running service as its signals control it, in one process or in several. */
export interface Service {
  /** Serves these settings from now on, while requests go on. Rejects if it keeps the previous ones. */
  reload(settings: Settings): Promise<Reloaded>;
  /** Stores the outcome of a reload for operators. */
  noteReload(reload: Reload): void;
  /** Stops gracefully. Rejects if a part of it did not. */
  stop(): Promise<void>;
  /** Ends at once what would outlive this process. */
  kill?(): void;
}
