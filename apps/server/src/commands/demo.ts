import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "@manifold-gateway/store";
import { z } from "zod";
import { keyVaultOf } from "../config/build.ts";
import { embeddedConfig } from "../config/embedded.ts";
import { ConfigError } from "../config/read.ts";
import type { Environment } from "../config/variables.ts";
import type { Run } from "./call.ts";
import { embeddedSecrets, fieldOf } from "./command.ts";
import { createDemoHost } from "./demo-host.ts";
import { startEmbedded } from "./start-embedded.ts";

/** The folder of all files of the demonstration, separate from any installation's. */
const FOLDER = join("data", "demo");
const REQUESTS = 3_000;
const requestsField = z.coerce.number().int().min(1).max(1_000_000);

/** The variables that the demonstration uses: none that names a real database or provider. */
const VARIABLES = ["HOST", "PORT", "MANIFOLD_ADMIN_KEY", "MANIFOLD_DEV_KEY", "MANIFOLD_DEV_PASSWORD"];

const environmentIn = (folder: string, env: Environment): Environment => ({
  ...Object.fromEntries(VARIABLES.map((name) => [name, env[name]])),
  DATABASE_URL: `sqlite:./${join(folder, "manifold.db")}`,
  MANIFOLD_SIMULATED: "true",
});

/** Loads the demonstration, an optional peer dependency that a service in production has no use for. */
async function loadDemo() {
  try {
    return await import("@manifold-gateway/demo");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ConfigError("the demonstration is a package of its own: npm install @manifold-gateway/demo");
  }
}

/** Serves a month of simulated traffic, so that the console has something to show. */
export const demo: Run = async (call) => {
  const { options, env, print } = call;
  const traffic = await loadDemo();
  const requests = fieldOf("--requests", requestsField, options.requests ?? REQUESTS);
  if (existsSync(FOLDER))
    print(`The traffic in ./${FOLDER} exists already; remove the folder to generate another.`);
  else {
    print(`Generating a month of demo traffic: ${requests} requests.`);
    await make(traffic, env, { requests, seed: options.seed ?? "demo" });
  }
  await startEmbedded(
    { ...call, env: environmentIn(FOLDER, env), readEnv: undefined },
    {
      models: traffic.models,
      begin: ({ config, ...started }) =>
        traffic.orderVideos({
          ...started,
          keyVault: keyVaultOf(config),
        }),
    },
  );
  return undefined;
};

/** Generates the traffic in a draft, which is renamed when it is complete: partial traffic is never served. */
async function make(
  { makeMonth, models }: Awaited<ReturnType<typeof loadDemo>>,
  env: Environment,
  { requests, seed }: { requests: number; seed: string },
): Promise<void> {
  const draft = `${FOLDER}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const demoEnv = environmentIn(draft, env);
  const { createSimulator } = await import("@manifold-gateway/simulator");
  const simulator = createSimulator({ seed });
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const path = join(draft, "manifold.db");
  // Opened without credit leases, which use the machine's clock and not the virtual time of the traffic.
  const config = embeddedConfig(origin, demoEnv, embeddedSecrets(demoEnv), models);
  const { records } = config;
  const store = await openSqlite({ path, records, synchronous: "normal", busy: Number.POSITIVE_INFINITY });
  try {
    const host = createDemoHost(config, store);
    await makeMonth({ host, simulator, requests, seed, until: Date.now() });
  } finally {
    await store.close();
    await simulator.close();
  }
  renameSync(draft, FOLDER);
}
