import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export const COMPOSE = join(import.meta.dirname, "../../../deploy/compose");

/** A program of the path. */
export function program(name: string): string | undefined {
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

/** Why there is no balancer here, where there is none. */
export const noBalancer = program("nginx") ? "" : "(nginx is not on the path)";

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export interface Running {
  stop(): Promise<void>;
}

/** A program that runs until it is stopped; resolves once its address answers anything. */
export async function run(
  path: string,
  options: string[],
  url: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Running> {
  const child: ChildProcess = spawn(path, options, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const isAnswered = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isAnswered())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** The balancer of compose/ before these gateways, with the same file but for addresses and folders. */
export async function startBalancer(gateways: readonly string[]): Promise<Running & { origin: string }> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-balancer-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const conf = gateways
    .reduce(
      (text, origin, index) => text.replace(`gateway-${index + 1}:8787`, new URL(origin).host),
      readFileSync(join(COMPOSE, "nginx.conf"), "utf8"),
    )
    .replace("listen 8787;", `listen 127.0.0.1:${port};`)
    .replace(
      "http {",
      `http { access_log off; ${temporary.map((one) => `${one}_temp_path ${folder}/${one};`).join(" ")}`,
    );
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `daemon off; pid ${folder}/nginx.pid; error_log stderr;\n${conf}`);
  const origin = `http://127.0.0.1:${port}`;
  const nginx = await run(program("nginx") ?? "", ["-p", folder, "-c", file], `${origin}/health`);
  return {
    origin,
    async stop() {
      await nginx.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
