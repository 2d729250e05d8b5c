import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { type GatewayProcess, startGateways } from "../money/process.ts";
import { COMPOSE, freePort, program, run, startBalancer } from "./balancer.ts";

export const KEY = "key-of-the-cluster-0123456789abcdef";
const MODELS = {
  chat: { entries: [{ provider: "chat", name: "sim-chat", price: { input: 1, output: 2 } }] },
  picture: {
    input: ["text", "image"],
    output: ["image"],
    entries: [{ provider: "media", name: "seedream-4-0-250828", price: { images: 0.04 } }],
  },
};
/** What the server of objects lets in, and nobody else. */
const ROOT = { AWS_ACCESS_KEY_ID: "cluster-access", AWS_SECRET_ACCESS_KEY: "cluster-secret-0123456789" };

const programs = { nginx: program("nginx"), versitygw: program("versitygw") };

/** Why the cluster cannot be run here, where it cannot. */
export const missing = Object.entries(programs)
  .filter(([, path]) => path === undefined)
  .map(([name]) => `${name} is not on the path`)
  .join(", ");

/** What compose/cluster.yml describes, as processes on this machine. */
export interface Cluster {
  /** Where the balancer listens. */
  origin: string;
  gateways: GatewayProcess[];
  simulator: Simulator;
  database: Database;
  stop(): Promise<void>;
}

/** Three gateways on Postgres and on a server that speaks S3, behind the balancer of compose/. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-cluster-"));
  const env = {
    ...process.env,
    ROOT_ACCESS_KEY: ROOT.AWS_ACCESS_KEY_ID,
    ROOT_SECRET_KEY: ROOT.AWS_SECRET_ACCESS_KEY,
  };

  const objects = await freePort();
  mkdirSync(join(folder, "objects/manifold"), { recursive: true });
  const server = await run(
    programs.versitygw!,
    ["--port", `127.0.0.1:${objects}`, "posix", join(folder, "objects")],
    `http://127.0.0.1:${objects}`,
    env,
  );

  const simulator = createSimulator({ ledgerSize: 100_000 });
  const { origin: upstream } = await simulator.listen();
  const database = await makePostgres();
  Object.assign(process.env, ROOT);
  const given = JSON.parse(readFileSync(join(COMPOSE, "manifold.cluster.json"), "utf8"));
  const gateways = await startGateways(3, {
    ...given,
    server: {
      ...given.server,
      host: "127.0.0.1",
      port: 0,
      adminKey: "a".repeat(32),
      trustProxy: ["127.0.0.1/32"],
      preStopDelay: 0,
    },
    keyEncryptionSecrets: ["5".repeat(64)],
    store: database.location,
    objects: given.objects.replace("http://objects:7070", `http://127.0.0.1:${objects}`),
    providers: {
      chat: { protocol: "chatstyle", origin: upstream, key: "k" },
      media: { serves: { image: "mediastyle" }, origin: upstream, key: "k" },
    },
    models: MODELS,
    accounts: { payer: { balance: 1_000, keys: { only: KEY } } },
  });

  const balancer = await startBalancer(gateways.map((one) => one.origin));

  return {
    origin: balancer.origin,
    gateways,
    simulator,
    database,
    async stop() {
      await Promise.all(gateways.map((one) => one.stop()));
      await balancer.stop();
      await server.stop();
      await simulator.close();
      await database.drop();
      for (const name of Object.keys(ROOT)) delete process.env[name];
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
