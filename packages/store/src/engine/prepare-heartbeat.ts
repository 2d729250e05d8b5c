import type { Pulse } from "./heartbeat.ts";
import { startHeartbeatTimer } from "./heartbeat-timer.ts";
import type { StoreLog } from "./log.ts";
import type { Thread } from "./thread.ts";

/** True in a runtime whose module of threads, if it has one, starts none. */
const hasNoThreads = (): boolean => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/**
 * Returns what starts the heartbeat: from a thread, or by `beat` in a runtime without threads. Rejects if the thread's
 * file is missing.
 */
export async function prepareHeartbeat(
  pulse: Pulse,
  beat: () => Promise<void>,
  log: StoreLog | undefined,
): Promise<() => Pick<Thread, "stop">> {
  const module = hasNoThreads() ? undefined : await import("./heartbeat.ts").catch(() => undefined);
  return module?.threadHeartbeat(pulse, log) ?? (() => startHeartbeatTimer(beat, pulse.everyMs, log));
}
