import type { Location } from "./engine.ts";
import type { StoreLog } from "./log.ts";
import { keepThread } from "./thread.ts";

/** The data of the heartbeat thread. */
export interface Pulse {
  location: Location;
  owner: string;
  everyMs: number;
}

/**
 * Writes an owner's heartbeat from a separate thread and connection, so that a process does not count as dead while its
 * event loop is blocked.
 */
export const startHeartbeat = (pulse: Pulse, log: StoreLog | undefined): { stop(): Promise<void> } =>
  keepThread<string>({
    name: "heartbeat",
    file: new URL("./heartbeat-thread.ts", import.meta.url),
    data: pulse,
    log,
    onMessage: (error) => log?.warn({ error }, "heartbeat failed"),
  });
