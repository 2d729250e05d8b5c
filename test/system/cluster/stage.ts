import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { type GatewayProcess, startGateways } from "../money/process.ts";

const COMPOSE = join(import.meta.dirname, "../../../deploy/compose");
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

/** A program of the path. */
function program(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

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

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves once a server answers anything. */
async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${said()}`);
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Three gateways on Postgres and on a server that speaks S3, behind the balancer of compose/. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-cluster-"));
  const children: ChildProcess[] = [];
  const run = async (path: string, options: string[], url: string): Promise<void> => {
    const env = {
      ...process.env,
      ROOT_ACCESS_KEY: ROOT.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: ROOT.AWS_SECRET_ACCESS_KEY,
    };
    const child = spawn(path, options, { env, stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    await answers(url, child, () => output);
  };

  const objects = await freePort();
  mkdirSync(join(folder, "objects/manifold"), { recursive: true });
  await run(
    programs.versitygw!,
    ["--port", `127.0.0.1:${objects}`, "posix", join(folder, "objects")],
    `http://127.0.0.1:${objects}`,
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

  const port = await freePort();
  const conf = gateways
    .reduce(
      (text, { origin }, index) => text.replace(`gateway-${index + 1}:8787`, new URL(origin).host),
      readFileSync(join(COMPOSE, "nginx.conf"), "utf8"),
    )
    .replace("listen 8787;", `listen 127.0.0.1:${port};`)
    .replace(
      "http {",
      `http { access_log off; ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${folder}/${one};`).join(" ")}`,
    );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;\n${conf}`,
  );
  const origin = `http://127.0.0.1:${port}`;
  await run(programs.nginx!, ["-p", folder, "-c", join(folder, "nginx.conf")], `${origin}/health`);

  return {
    origin,
    gateways,
    simulator,
    database,
    async stop() {
      await Promise.all(gateways.map((one) => one.stop()));
      for (const child of children.reverse()) {
        child.kill("SIGTERM");
        if (child.exitCode === null) await once(child, "exit");
      }
      await simulator.close();
      await database.drop();
      for (const name of Object.keys(ROOT)) delete process.env[name];
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
