import type { Log } from "@manifold-gateway/gateway";
import type { Settings } from "../config/load.ts";
import type { Environment } from "../config/variables.ts";
import { createLog } from "../logging/log.ts";
import type { Service } from "../processes/service.ts";
import { controlBySignals } from "../processes/signals.ts";
import type { Call } from "./call.ts";

/** A service that listens, and what its start prints. */
export interface Started {
  service: Service;
  lines: readonly string[];
}

/** A kind of start. */
export interface Start {
  /** Reads the settings, at the start and at each reload. */
  read(env: Environment): Settings;
  open(settings: Settings, log: Log): Promise<Started>;
}

/** Starts a service, which signals control from then on. */
export async function serve({ env, readEnv = () => env, print }: Call, { read, open }: Start): Promise<void> {
  const settings = read(env);
  const { log: level, logFormat } = settings.config.server;
  const log = createLog(level, { format: logFormat });
  const opened = open(settings, log);
  controlBySignals(
    opened.then(({ service }) => service),
    log,
    () => read(readEnv()),
  );
  for (const line of (await opened).lines) print(line);
}
