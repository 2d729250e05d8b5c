import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "@manifold-gateway/store";
import { z } from "zod";
import { embeddedConfig } from "../config/embedded.ts";
import type { Environment } from "../config/variables.ts";
import { makeMonth } from "../demo/make.ts";
import models from "../demo/models.json" with { type: "json" };
import { orderVideos } from "../demo/under-way.ts";
import type { Call, Run } from "./call.ts";
import { embeddedSecrets, fieldOf } from "./command.ts";
import { startEmbedded } from "./start.ts";

/** Where the demonstration keeps all that it has: never where an installation does. */
const FOLDER = join("data", "demo");
const REQUESTS = 3_000;
const requestsField = z.coerce.number().int().min(1).max(1_000_000);

/** What the demonstration takes from the environment: nothing that leads to a database or a provider of somebody's. */
const OWN = ["HOST", "PORT", "MANIFOLD_ADMIN_KEY", "MANIFOLD_DEV_KEY", "MANIFOLD_DEV_PASSWORD"];

const environmentIn = (folder: string, env: Environment): Environment => ({
  ...Object.fromEntries(OWN.map((name) => [name, env[name]])),
  DATABASE_URL: `sqlite:./${join(folder, "manifold.db")}`,
  MANIFOLD_SIMULATED: "true",
});

/** Serves a month of traffic that the simulator made, so that there is something to look at. */
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

/** Makes the traffic beside its place and moves it there when it is whole: what is broken off is never served. */
async function make(
  { env, print }: Call,
  { requests, seed }: { requests: number; seed: string },
): Promise<void> {
  const draft = `${FOLDER}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  print(`Generating a month of demo traffic: ${requests} requests.`);
  const own = environmentIn(draft, env);
  const { createSimulator } = await import("@manifold-gateway/simulator");
  const simulator = createSimulator({ seed });
  const { origin } = await simulator.listen(0, "127.0.0.1");
  const path = join(draft, "manifold.db");
  // Leases of credit go by the machine's clock, and are for traffic that comes as fast as it seems to.
  const store = await openSqlite({ path, synchronous: "normal", busy: Number.POSITIVE_INFINITY });
  try {
    const config = embeddedConfig(origin, own, embeddedSecrets(own), models);
    await makeMonth({ config, store, simulator, requests, seed, until: Date.now() });
  } finally {
    await store.close();
    await simulator.close();
  }
  renameSync(draft, FOLDER);
}
