import type { StoreLog } from "../log.ts";
import type { Thread } from "./thread.ts";

/** Has heartbeats written from the event loop, for runtimes without threads; one that is held up writes none. */
export function startHeartbeatTimer(
  beat: () => Promise<void>,
  everyMs: number,
  log: StoreLog | undefined,
): Pick<Thread, "stop"> {
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beat().catch((error) => log?.warn({ error: String(error) }, "heartbeat failed"));
  }, everyMs);
  timer.unref?.();
  return {
    stop() {
      clearInterval(timer);
      return beating;
    },
  };
}
