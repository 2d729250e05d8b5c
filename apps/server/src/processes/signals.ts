import type { Log } from "@manifold-gateway/gateway";
import type { Settings } from "../config/load.ts";
import { ConfigError } from "../config/read.ts";
import type { Service } from "./service.ts";

/**
 * Controls a service by signals. SIGHUP reads the settings again and reloads it; the outcome is logged and stored for
 * operators. The first SIGINT or SIGTERM stops it gracefully, the second at once. An uncaught error also stops it, with
 * exit code 1.
 */
export function controlBySignals(service: Service, log: Log, read: () => Settings): void {
  reloadOnSignal(service, log, read);
  stopOnSignal(service, log);
}

/** Reloads at each SIGHUP, one after the other. */
function reloadOnSignal(service: Service, log: Log, read: () => Settings): void {
  let turn = Promise.resolve();
  const run = async (): Promise<void> => {
    const outcome = { by: "signal", at: Date.now() } as const;
    try {
      const done = await service.reload(read());
      log.info({ ...done }, "config reloaded");
      const { changed = [], findings } = done;
      service.noteReload({ ...outcome, isApplied: true, changed, findings });
    } catch (error) {
      log.error({ error: String(error) }, "config reload failed, keeping the previous one");
      const sentences = error instanceof ConfigError ? error.message.split("\n") : [String(error)];
      const findings = sentences.map((sentence) => sentence.trim());
      service.noteReload({ ...outcome, isApplied: false, changed: [], findings });
    }
  };
  process.on("SIGHUP", () => {
    turn = turn.then(run);
  });
}

function stopOnSignal(service: Service, log: Log): void {
  let stopping = false;
  const stop = (code: number): void => {
    if (stopping) {
      service.kill?.();
      process.exit(code || 1);
    }
    stopping = true;
    exitAfter(service.stop(), code, log);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(0));
  onUncaught((error, event) => {
    log.error({ error }, event);
    stop(1);
  });
}

/** Exits with this code once a stop has ended, or with 1 if it fails. */
export function exitAfter(stopped: Promise<unknown>, code: number, log: Log): void {
  stopped.then(
    () => process.exit(code),
    (error: unknown) => {
      log.error({ error: String(error) }, "stop failed");
      process.exit(1);
    },
  );
}

/** Calls `handle` for each error that no code catches, with its stack. */
export function onUncaught(handle: (error: string | undefined, event: string) => void): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) =>
      handle(error instanceof Error ? error.stack : String(error), event),
    );
}
