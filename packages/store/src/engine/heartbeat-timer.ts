import { errorFields } from "./error-fields.ts";
import type { StoreLog } from "./log.ts";
import type { Thread } from "./thread.ts";

/** Writes heartbeats from the event loop, for runtimes without threads. A blocked loop writes none. */
export function startHeartbeatTimer(
  beat: () => Promise<void>,
  everyMs: number,
  log: StoreLog | undefined,
): Pick<Thread, "stop"> {
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beat().catch((error) => log?.warn(errorFields(error), "heartbeat failed"));
  }, everyMs);
  timer.unref?.();
  return {
    stop() {
      clearInterval(timer);
      return beating;
    },
  };
}
