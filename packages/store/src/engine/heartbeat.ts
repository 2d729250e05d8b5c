import type { StoreLog } from "../log.ts";
import type { Location } from "./engine.ts";
import { keepThread } from "./thread.ts";

/** The data of its thread. */
export interface Pulse {
  location: Location;
  owner: string;
  everyMs: number;
}

/**
 * Writes an owner's heartbeat from a thread and a connection of its own: an event loop that is held up for longer than
 * the silence that others allow must not make its process count as dead.
 */
export const startHeartbeat = (pulse: Pulse, log: StoreLog | undefined): { stop(): Promise<void> } =>
  keepThread<string>({
    name: "heartbeat",
    file: new URL("./heartbeat-thread.ts", import.meta.url),
    data: pulse,
    log,
    said: (error) => log?.warn({ error }, "heartbeat failed"),
  });
