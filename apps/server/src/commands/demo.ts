import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "@manifold-gateway/store";
import { z } from "zod";
import { embeddedConfig } from "../config/embedded.ts";
import type { Environment } from "../config/variables.ts";
import { makeMonth } from "../demo/make.ts";
import models from "../demo/models.json" with { type: "json" };
import { orderVideos } from "../demo/running-jobs.ts";
import type { Call, Run } from "./call.ts";
import { embeddedSecrets, fieldOf } from "./command.ts";
import { startEmbedded } from "./start.ts";

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

/** Serves a month of simulated traffic, so that the console has something to show. */
export const demo: Run = async (call) => {
  const { options, env, print } = call;
  const requests = fieldOf("--requests", requestsField, options.requests ?? REQUESTS);
  if (existsSync(FOLDER))
    print(`The traffic in ./${FOLDER} exists already; remove the folder to generate another.`);
  else await make(call, { requests, seed: options.seed ?? "demo" });
  await startEmbedded(
    { ...call, env: environmentIn(FOLDER, env), readEnv: undefined },
    { models, begin: orderVideos },
  );
  return undefined;
};

/** Makes the traffic in a draft and renames that when it is complete: partial traffic is never served. */
async function make(
  { env, print }: Call,
  { requests, seed }: { requests: number; seed: string },
): Promise<void> {
  const draft = `${FOLDER}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  print(`Generating a month of demo traffic: ${requests} requests.`);
  const demoEnv = environmentIn(draft, env);
  const { createSimulator } = await import("@manifold-gateway/simulator");
  const simulator = createSimulator({ seed });
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const path = join(draft, "manifold.db");
  // Opened without credit leases, which use the machine's clock and not the virtual time of the traffic.
  const store = await openSqlite({ path, synchronous: "normal", busy: Number.POSITIVE_INFINITY });
  try {
    const config = embeddedConfig(origin, demoEnv, embeddedSecrets(demoEnv), models);
    await makeMonth({ config, store, simulator, requests, seed, until: Date.now() });
  } finally {
    await store.close();
    await simulator.close();
  }
  renameSync(draft, FOLDER);
}
