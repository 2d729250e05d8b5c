import type { Log } from "@manifold-gateway/gateway";
import { errorFields } from "@manifold-gateway/store";
import type { Settings } from "../config/load.ts";
import { ConfigError } from "../config/read.ts";
import type { Service } from "./service.ts";

/**
 * Controls a service by signals, from its start on. SIGHUP reads the settings again and reloads it, once it serves; the
 * outcome is logged and stored for operators. The first SIGINT or SIGTERM stops it gracefully, the second at once, and
 * so does one during the start. An uncaught error also stops it, with exit code 1.
 */
export function controlBySignals(opened: Promise<Service>, log: Log, read: () => Settings): void {
  reloadOnSignal(opened, log, read);
  stopOnSignal(opened, log);
}

/** Reloads at each SIGHUP, one after the other. */
function reloadOnSignal(opened: Promise<Service>, log: Log, read: () => Settings): void {
  // A start that fails ends the process with its reason, and nothing is left to reload.
  let turn = opened.then(
    () => {},
    () => {},
  );
  const run = async (): Promise<void> => {
    const service = await opened;
    const outcome = { by: "signal", at: Date.now() } as const;
    try {
      const done = await service.reload(read());
      log.info({ ...done }, "config reloaded");
      const { changed = [], findings } = done;
      service.noteReload({ ...outcome, isApplied: true, changed, findings });
    } catch (error) {
      log.error(errorFields(error), "config reload failed, keeping the previous one");
      const sentences = error instanceof ConfigError ? error.message.split("\n") : [String(error)];
      const findings = sentences.map((sentence) => sentence.trim());
      service.noteReload({ ...outcome, isApplied: false, changed: [], findings });
    }
  };
  process.on("SIGHUP", () => {
    turn = turn.then(run);
  });
}

function stopOnSignal(opened: Promise<Service>, log: Log): void {
  let service: Service | undefined;
  opened.then(
    (one) => {
      service = one;
    },
    () => {},
  );
  let stopping = false;
  const stop = (code: number): void => {
    if (stopping) {
      service?.kill?.();
      process.exit(code || 1);
    }
    stopping = true;
    if (!service) process.exit(code);
    exitAfter(service.stop(), code, log);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      log.info({ signal }, "stopping");
      stop(0);
    });
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
      log.error({ error: stackOf(error) }, "stop failed");
      process.exit(1);
    },
  );
}

/** Calls `handle` for each error that no code catches, with its stack. */
export function onUncaught(handle: (error: string | undefined, event: string) => void): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => handle(stackOf(error), event));
}

const stackOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.stack : String(error);
