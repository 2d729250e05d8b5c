import type { Log } from "@manifold/gateway";
import { createKeyVault } from "@manifold/gateway/admin";
import { ensureAccounts, ensureDevelopment } from "../accounts.ts";
import { isServed, sayFindings } from "../banner.ts";
import { toAccess } from "../config/build.ts";
import { dataFolder, embeddedConfig } from "../config/embedded.ts";
import { type Environment, loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { type Host, startHost } from "../host.ts";
import { createLog } from "../log.ts";
import { type Call, type Command, configFile, embeddedSecrets } from "./command.ts";
import { handOver } from "./development.ts";

export const start: Command = {
  usage: [["[--config FILE]", "serve"]],
  async run(call) {
    const file = configFile(call);
    await (file === undefined ? startEmbedded(call) : startConfigured(file, call));
    return undefined;
  },
};

async function startConfigured(file: string, { env, readEnv = () => env, print }: Call): Promise<void> {
  const config = loadConfig(file, env);
  const log = createLog(config.server.log);
  const keyVault = createKeyVault(toAccess(config).keyEncryptionSecrets ?? []);
  const host = await startHost({
    config,
    env,
    log,
    prepare: (store) => ensureAccounts(store, config.accounts, Date.now(), keyVault),
  });
  print(`Manifold listens on ${host.origin} with ${Object.keys(config.models).length} models.`);
  for (const line of sayFindings(host.findings())) print(line);
  reloadOnSignal(host, log, readEnv, (now) => loadConfig(file, now));
  stopOnSignal(host, log);
}

/** Takes providers and models from the configuration and the environment again, while requests go on. */
function reloadOnSignal(
  host: Host,
  log: Log,
  readEnv: () => Environment,
  configOf: (env: Environment) => Config,
): void {
  const reload = async (): Promise<void> => {
    const env = readEnv();
    const changed = await host.reload(configOf(env), env);
    await host.discover();
    log.info({ changed, findings: sayFindings(host.findings()) }, "config reloaded");
  };
  process.on("SIGHUP", () => {
    reload().catch((error: unknown) => {
      log.error({ error: String(error) }, "config reload failed, keeping the previous one");
    });
  });
}

async function startEmbedded({ env, readEnv = () => env, print, isTerminal = false }: Call): Promise<void> {
  // Only this start needs it, so that no other has to load it.
  const { createSimulator } = await import("@manifold/simulator");
  const simulator = createSimulator();
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const config = embeddedConfig(origin, env, embeddedSecrets(env));
  const log = createLog("info");
  let shown: string | undefined;
  const host = await startHost({
    config,
    env,
    log,
    standIns: env.MANIFOLD_SIMULATED !== "true",
    prepare: async (store) => {
      const keyVault = createKeyVault(toAccess(config).keyEncryptionSecrets ?? []);
      const made = await ensureDevelopment(store, env, Date.now(), keyVault);
      shown = handOver(made, { folder: dataFolder(env), isTerminal });
      if (shown) print(shown);
    },
  });
  const findings = host.findings();
  const simulated = Object.keys(config.models).join(", ");
  print(
    isServed(findings)
      ? `Manifold listens on ${host.origin} with the models of these providers:`
      : `Manifold listens on ${host.origin} with simulated models: ${simulated}.`,
  );
  for (const line of sayFindings(findings)) print(line);
  reloadOnSignal(host, log, readEnv, () => config);
  if (shown === undefined && !env.MANIFOLD_DEV_KEY)
    print(
      "The development key was handed over at the first start; set MANIFOLD_DEV_KEY to choose one, or remove ./data for a new one.",
    );
  stopOnSignal({ ...host, stop: () => host.stop().then(() => simulator.close()) }, log);
}

/** The first signal stops in order, the second at once. An uncaught error stops too, with exit code 1. */
function stopOnSignal(host: Pick<Host, "stop">, log: Log): void {
  let stopping = false;
  const stop = (code: number): void => {
    if (stopping) process.exit(code || 1);
    stopping = true;
    host.stop().then(
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
