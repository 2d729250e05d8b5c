import cluster from "node:cluster";
import type { Invitation, Log, Reload } from "@manifold-gateway/gateway";
import { createInvitation, createKeyVault } from "@manifold-gateway/gateway/admin";
import type { Simulator } from "@manifold-gateway/simulator";
import type { Store } from "@manifold-gateway/store";
import { isServed, sayFindings } from "../catalog/discovery-report.ts";
import { toAccess } from "../config/build.ts";
import { dataFolder, embeddedConfig } from "../config/embedded.ts";
import { loadWithSource } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { embeddedSource, type Source } from "../config/origins.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import type { Environment } from "../config/variables.ts";
import { ensureConfigured, ensureDevelopment } from "../configured-accounts.ts";
import { type Host, startHost } from "../host.ts";
import { createLog } from "../logging/log.ts";
import { countOf } from "../processes/count.ts";
import { NUMBER } from "../processes/fork.ts";
import { serveAsMember } from "../processes/member.ts";
import { supervise } from "../processes/supervisor.ts";
import { withAddress } from "./address.ts";
import type { Call, Run } from "./call.ts";
import { embeddedSecrets } from "./command.ts";
import { handOver } from "./development.ts";

interface Read {
  config: Config;
  source: Source;
}

export const start: Run = async (call) => {
  if (process.env[NUMBER] !== undefined && process.send) {
    serveAsMember();
    return undefined;
  }
  const file = configFile(call);
  await (file === undefined ? startEmbedded(call) : startConfigured(file, call));
  return undefined;
};

/** Reads the configuration from the file and the command line. */
const readAll = (file: string, call: Call, env: Environment): Read =>
  withAddress(loadWithSource(file, env), call);

async function startConfigured(file: string, call: Call): Promise<void> {
  const read = readAll(file, call, call.env);
  const log = createLog(read.config.server.log, undefined, null, read.config.server.logFormat);
  await (countOf(read.config) > 1 ? startSeveral(file, read, log, call) : startOne(file, read, log, call));
}

async function startOne(file: string, { config, source }: Read, log: Log, call: Call): Promise<void> {
  const { env, readEnv = () => env, print } = call;
  const host = await startHost({
    config,
    source,
    env,
    log,
    prepare: (store) => ensureConfigured(store, config),
  });
  const reload = () => {
    const now = readEnv();
    return reloadHost(host, readAll(file, call, now), now);
  };
  reloadOnSignal({ log, reload, note: host.noteReload });
  stopOnSignal(log, () => host.stop());
  print(`Manifold listens on ${host.origin} with ${Object.keys(config.models).length} models.`);
  for (const line of sayFindings(host.findings())) print(line);
}

async function startSeveral(file: string, { config, source }: Read, log: Log, call: Call): Promise<void> {
  const { env, readEnv = () => env, print } = call;
  if (!cluster.isPrimary)
    throw new ConfigError(
      "server.processes: this process belongs to a cluster whose parent starts the processes; use 1",
    );
  const supervisor = await supervise({ settings: { config, source, env }, log });
  const { origin, findings } = supervisor;
  const reload = async () => {
    const now = readEnv();
    const settings = { ...readAll(file, call, now), env: now };
    return { processes: countOf(settings.config), findings: await supervisor.reload(settings) };
  };
  reloadOnSignal({ log, reload, note: supervisor.noteReload });
  const stop = async (): Promise<void> => {
    if (!(await supervisor.stop())) throw new Error("a process did not stop in order");
  };
  stopOnSignal(log, stop, supervisor.kill);
  const models = Object.keys(config.models).length;
  print(`Manifold listens on ${origin} with ${models} models, in ${countOf(config)} processes.`);
  for (const line of findings) print(line);
}

interface Reloaded {
  /** The ids of the models that changed, if this process knows them. */
  changed?: string[];
  /** The number of processes that now serve, if there are several. */
  processes?: number;
  findings: string[];
}

/** Applies the providers, models and webhooks of a configuration and an environment, while requests go on. */
async function reloadHost(host: Host, { config, source }: Read, env: Environment): Promise<Reloaded> {
  const changed = await host.reload(config, env, source);
  await host.discover();
  return { changed, findings: sayFindings(host.findings()) };
}

interface ReloadOnSignal {
  log: Log;
  reload(): Promise<Reloaded>;
  /** Stores the outcome for operators. */
  note(reload: Reload): void;
}

/** Reloads at each SIGHUP, one after the other; logs and stores the outcome. */
function reloadOnSignal({ log, reload, note }: ReloadOnSignal): void {
  let turn = Promise.resolve();
  const run = async (): Promise<void> => {
    const outcome = { by: "signal", at: Date.now() } as const;
    try {
      const done = await reload();
      log.info({ ...done }, "config reloaded");
      const { changed = [], findings } = done;
      note({ ...outcome, isApplied: true, changed, findings });
    } catch (error) {
      log.error({ error: String(error) }, "config reload failed, keeping the previous one");
      const sentences = error instanceof ConfigError ? error.message.split("\n") : [String(error)];
      const findings = sentences.map((sentence) => sentence.trim());
      note({ ...outcome, isApplied: false, changed: [], findings });
    }
  };
  process.on("SIGHUP", () => {
    turn = turn.then(run);
  });
}

interface EmbeddedOptions {
  /** Models in addition to the simulator's. */
  models?: object;
  /** Called once it listens. */
  begin?(started: { config: Config; origin: string; store: Store; simulator: Simulator }): Promise<void>;
}

/** Serves the simulator's models, with the data next to the environment's database. */
export async function startEmbedded(call: Call, { models, begin }: EmbeddedOptions = {}): Promise<void> {
  const { env, readEnv = () => env, print, isTerminal = false } = call;
  // Loaded only by this kind of start.
  const { createSimulator } = await import("@manifold-gateway/simulator");
  const simulator = createSimulator();
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const { config, source } = withAddress(
    { config: embeddedConfig(origin, env, embeddedSecrets(env), models), source: embeddedSource(env) },
    call,
  );
  const log = createLog("info");
  let shown: string | undefined;
  let invitation: Invitation | undefined;
  const host = await startHost({
    config,
    source,
    env,
    log,
    invitation: () => invitation,
    standIns: env.MANIFOLD_SIMULATED !== "true",
    prepare: async (store) => {
      const keyVault = createKeyVault(toAccess(config).keyEncryptionSecrets ?? []);
      const made = await ensureDevelopment(store, env, Date.now(), keyVault);
      const operator = config.server.adminKey;
      invitation = createInvitation({ session: made.accountId, ...(operator && { operator }) }, Date.now());
      shown = handOver(made, { folder: dataFolder(env), isTerminal });
      if (shown) print(shown);
    },
  });
  await begin?.({ config, origin: host.origin, store: host.store, simulator });
  const findings = host.findings();
  const simulated = Object.keys(config.models).join(", ");
  print(
    isServed(findings)
      ? `Manifold listens on ${host.origin} with the models of these providers:`
      : `Manifold listens on ${host.origin} with simulated models: ${simulated}.`,
  );
  for (const line of sayFindings(findings)) print(line);
  if (host.hasConsole) print(`Open ${host.origin}/console#once=${invitation?.token}`);
  const reload = () => reloadHost(host, { config, source }, readEnv());
  reloadOnSignal({ log, reload, note: host.noteReload });
  if (shown === undefined && !env.MANIFOLD_DEV_KEY)
    print(
      `The development key was shown at the first start; set MANIFOLD_DEV_KEY to choose one, or remove ${dataFolder(env)} for a new one.`,
    );
  stopOnSignal(log, () => host.stop().then(() => simulator.close()));
}

/** The first signal stops gracefully, the second at once. An uncaught error also stops, with exit code 1. */
function stopOnSignal(log: Log, stopInOrder: () => Promise<void>, stopAtOnce: () => void = () => {}): void {
  let stopping = false;
  const stop = (code: number): void => {
    if (stopping) {
      stopAtOnce();
      process.exit(code || 1);
    }
    stopping = true;
    stopInOrder().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ error: String(error) }, "stop failed");
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(0));
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => {
      log.error({ error: error instanceof Error ? error.stack : String(error) }, event);
      stop(1);
    });
}
