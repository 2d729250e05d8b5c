import type { Location } from "./engine.ts";
import type { ErrorFields } from "./error-fields.ts";
import type { StoreLog } from "./log.ts";
import { keepThread, type Thread, threadFile } from "./thread.ts";

/** The data of the heartbeat thread. */
export interface Pulse {
  location: Location;
  owner: string;
  everyMs: number;
}

/**
 * Returns what writes an owner's heartbeat from a separate thread and connection, so that a process does not count as
 * dead while its event loop is blocked. Throws if the thread's file is missing.
 */
export function threadHeartbeat(pulse: Pulse, log: StoreLog | undefined): () => Pick<Thread, "stop"> {
  const file = threadFile("heartbeat");
  return () =>
    keepThread<ErrorFields>({
      name: "heartbeat",
      file,
      data: pulse,
      log,
      onMessage: (fields) => log?.warn(fields, "heartbeat failed"),
    });
}
