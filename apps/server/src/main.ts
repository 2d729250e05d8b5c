#!/usr/bin/env node
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { createSimulator } from "@manifold/simulator";
import { z } from "zod";
import { ensureAccounts, ensureDevelopment } from "./accounts.ts";
import { embeddedConfig } from "./config/embedded.ts";
import { ConfigError, loadConfig } from "./config/load.ts";
import { configSchema } from "./config/schema.ts";
import { type Host, startHost } from "./host.ts";
import { createLog } from "./log.ts";

const USAGE = `usage: manifold [start] [--config FILE]
       manifold schema          print the JSON Schema of the configuration file

Without --config, MANIFOLD_CONFIG and then ./manifold.json are looked for; without any of them a simulator
serves models of every protocol, with SQLite in ./data.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { config: { type: "string", short: "c" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  const [command = "start"] = positionals;
  if (values.help) return print(USAGE);
  if (command === "schema")
    return print(JSON.stringify(z.toJSONSchema(configSchema, { io: "input" }), null, 2));
  if (command !== "start") throw new ConfigError(`unknown command '${command}'\n${USAGE}`);
  const file =
    values.config ??
    process.env.MANIFOLD_CONFIG ??
    (existsSync("manifold.json") ? "manifold.json" : undefined);
  await (file === undefined ? startEmbedded() : startConfigured(file));
}

async function startConfigured(file: string): Promise<void> {
  const config = loadConfig(file, process.env);
  const log = createLog(config.server.log);
  const host = await startHost({
    config,
    env: process.env,
    log,
    prepare: (store) => ensureAccounts(store, config.accounts, Date.now()),
  });
  print(`Manifold listens on ${host.origin} with ${Object.keys(config.models).length} models.`);
  stopOnSignal(host, log);
}

async function startEmbedded(): Promise<void> {
  const simulator = createSimulator();
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const config = embeddedConfig(origin, process.env);
  const log = createLog("info");
  let key: string | undefined;
  const host = await startHost({
    config,
    env: process.env,
    log,
    prepare: async (store) => {
      key = await ensureDevelopment(store, process.env.MANIFOLD_DEV_KEY, Date.now());
    },
  });
  print(
    `Manifold listens on ${host.origin} with simulated models: ${Object.keys(config.models).join(", ")}.`,
  );
  print(
    key
      ? `Development key (shown once): ${key}`
      : "The development key was shown at the first start; set MANIFOLD_DEV_KEY to choose one, or remove ./data for a new one.",
  );
  stopOnSignal({ ...host, stop: () => host.stop().then(() => simulator.close()) }, log);
}

/** The first signal stops in order, the second at once. A defect that nobody caught stops too, with exit code 1. */
function stopOnSignal(host: Pick<Host, "stop">, log: ReturnType<typeof createLog>): void {
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

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(1);
});
