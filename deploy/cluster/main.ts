import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cut, planIn, startDatabase, stopCluster, userNamed } from "./cluster.ts";
import type { Plan } from "./plan.ts";
import { isRunning, pidOf, start, until } from "./processes.ts";
import { missingPackages } from "./programs.ts";

const USAGE = `npm run cluster -- up --folder FOLDER [--port 7400] [--pooler] [--config FILE]
npm run cluster -- status --folder FOLDER
npm run cluster -- cut --folder FOLDER --member member-1 [--way both|to|from|none]
npm run cluster -- down --folder FOLDER`;

const root = join(import.meta.dirname, "../..");
const main = join(root, "apps/server/src/main.ts");
const node = (words: readonly string[]) => ({
  command: process.execPath,
  args: ["--conditions=manifold", main, ...words],
});

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status < 500,
    () => false,
  );

/** Starts a simulated provider and three gateways with a configuration, each on a port of its own. */
async function startGateways(plan: Plan, config: string): Promise<void> {
  const { folder, gateways, ports } = plan;
  const launch = (name: string, words: readonly string[], env?: NodeJS.ProcessEnv): void => {
    if (!isRunning(folder, pidOf(folder, name))) start(folder, { name, ...node(words), ...(env && { env }) });
  };
  const provider = `http://127.0.0.1:${ports.provider}`;
  // The folder names the process as one of this cluster.
  launch("simulator", ["simulate", "--port", String(ports.provider), "--models", `sim-chat,${folder}`]);
  await until("the provider", () => answers(`${provider}/v1/models`));
  const given = JSON.parse(readFileSync(config, "utf8"));
  const env = { DATABASE: plan.database, READER: plan.reader, FOLDER: folder, PROVIDER: provider };
  for (const { name, port } of gateways) {
    const file = join(folder, "run", `${name}.json`);
    writeFileSync(file, JSON.stringify({ ...given, server: { ...given.server, port } }), { mode: 0o600 });
    launch(name, ["--config", file], env);
    // The first one migrates the database.
    await until(name, () => answers(`http://127.0.0.1:${port}/ready`));
  }
}

async function showStatus({ members }: Plan): Promise<void> {
  for (const { name, own } of members) {
    const answer = await fetch(`http://127.0.0.1:${own.rest}/patroni`).catch(() => undefined);
    const { role = "away", state = "" } = ((await answer?.json()) ?? {}) as { role?: string; state?: string };
    console.log(name, role, state);
  }
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: "string" },
      port: { type: "string", default: "7400" },
      pooler: { type: "boolean", default: false },
      config: { type: "string", default: join(import.meta.dirname, "manifold.json") },
      user: { type: "string", default: "postgres" },
      member: { type: "string" },
      way: { type: "string", default: "both" },
    },
  });
  const [command] = positionals;
  if (values.folder === undefined) throw new Error(USAGE);
  const folder = resolve(values.folder);
  const terms = join(folder, "run/cluster.json");
  const known = (): Plan => {
    const { port, pooler } = JSON.parse(readFileSync(terms, "utf8"));
    return planIn(folder, port, pooler);
  };
  switch (command) {
    case "up": {
      const missing = missingPackages();
      if (missing.length > 0) throw new Error(`missing: apt-get install ${missing.join(" ")}`);
      const plan = planIn(folder, Number(values.port), values.pooler);
      mkdirSync(join(folder, "run"), { recursive: true });
      writeFileSync(terms, JSON.stringify({ port: plan.port, pooler: plan.pooler }));
      await startDatabase(plan, userNamed(values.user));
      await startGateways(plan, values.config);
      console.log(`The service listens on http://127.0.0.1:${plan.ports.service}.`);
      console.log(`Its database is ${plan.database}, a replica ${plan.reader}.`);
      return;
    }
    case "down":
      return stopCluster(folder);
    case "status":
      return showStatus(known());
    case "cut": {
      const ways = ["both", "to", "from", "none"] as const;
      const way = ways.find((one) => one === values.way);
      const member = known().members.find(({ name }) => name === values.member);
      if (way === undefined || member === undefined) throw new Error(USAGE);
      return cut(known(), member.name, way);
    }
    default:
      throw new Error(USAGE);
  }
}

await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
