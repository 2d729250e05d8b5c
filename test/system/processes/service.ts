import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll } from "vitest";
import { MAIN } from "../../support/program.ts";

export const KEY = "several-key-0123456789-0123456789abcdef";
const ADMIN = "several-admin-0123456789-0123456789";

/** A service as it is run, in a folder of its own. */
export interface Service {
  origin: string;
  store: string;
  /** Writes the configuration anew. */
  write(more: Changes): void;
  signal(name: NodeJS.Signals): void;
  output(): string;
  /** Resolves once the output has so many matches; gives the last. */
  said(what: RegExp, times?: number): Promise<RegExpMatchArray>;
  /** The process in each place, as it was started last. */
  pids(): Map<number, number>;
  /** Metrics of all processes. */
  metrics(): Promise<string>;
  /** What came of the last reloads, as the process that answers knows it. */
  reloads(): Promise<{ isApplied: boolean; findings: string[] }[]>;
  exited: Promise<number | null>;
}

/** What differs from the usual configuration. */
export interface Changes {
  server?: object;
  models?: string[];
  /** The id of the provider. */
  provider?: string;
  store?: string;
  providers?: object;
}

/** For each file of tests: a provider, and services that are ended with it. */
export function useServices(): { start(changes?: Changes): Promise<Service> } {
  let simulator: Simulator;
  let upstream: string;
  let folder: string;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "manifold-processes-"));
    simulator = createSimulator();
    ({ origin: upstream } = await simulator.listen());
  });
  afterAll(async () => {
    await Promise.all(ends.map((end) => end()));
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    async start(changes = {}) {
      const home = mkdtempSync(join(folder, "service-"));
      const file = join(home, "manifold.json");
      const store = join(home, "manifold.db");
      const write = ({ server, models = ["m1"], provider = "local", ...more }: Changes): void => {
        const entries = [{ provider, name: "sim-m1", price: { input: 1, output: 2 } }];
        const config = {
          server: { port: 0, warmUp: 0, processes: 3, adminKey: ADMIN, ...server },
          store: `sqlite:${store}`,
          objects: `file:${join(home, "objects")}`,
          telemetry: { metrics: {} },
          providers: { [provider]: { protocol: "msgstyle", origin: upstream, key: "k" } },
          models: Object.fromEntries(models.map((id) => [id, { entries }])),
          accounts: { dev: { balance: 1_000, keys: { dev: KEY } } },
          ...more,
        };
        writeFileSync(file, JSON.stringify(config));
      };
      write(changes);
      const child = spawn(process.execPath, ["--conditions=manifold", MAIN, "--config", file], { cwd: home });
      const exited = new Promise<number | null>((done) => child.once("close", done));
      ends.push(async () => {
        child.kill("SIGTERM");
        await exited;
      });
      let output = "";
      let isOver = false;
      let more = (): void => {};
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        more();
      };
      for (const stream of [child.stdout, child.stderr]) stream.on("data", read);
      void exited.then(() => {
        isOver = true;
        more();
      });
      const said: Service["said"] = async (what, times = 1) => {
        for (;;) {
          const found = [...output.matchAll(new RegExp(what, `g${what.flags}`))];
          if (found.length >= times) return found.at(-1) as RegExpMatchArray;
          if (isOver) throw new Error(`ended: ${output}`);
          await new Promise<void>((resolve) => {
            more = resolve;
          });
        }
      };
      const [, origin = ""] = await said(/listens on (http:\S+) /);
      return {
        origin,
        store,
        write,
        signal: (name) => void child.kill(name),
        output: () => output,
        said,
        pids: () =>
          new Map(
            [...output.matchAll(/"process":(\d+),"pid":(\d+),"msg":"process started"/g)].map(
              ([, number, pid]) => [Number(number), Number(pid)] as const,
            ),
          ),
        reloads: async () => {
          const answer = await fetch(`${origin}/api/admin/config/reloads`, {
            headers: { "x-admin-key": ADMIN },
          });
          return ((await answer.json()) as { reloads: { isApplied: boolean; findings: string[] }[] }).reloads;
        },
        metrics: async () => (await fetch(`${origin}/metrics`, { headers: { "x-admin-key": ADMIN } })).text(),
        exited,
      };
    },
  };
}

/** A request on a connection of its own; the status and the whole answer. */
export function askAlone(
  origin: string,
  { model = "m1", text = "hi", stream = false } = {},
): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: text }], stream });
  return new Promise((done, fail) => {
    const call = request(
      `${origin}/api/chatstyle/v1/chat/completions`,
      {
        method: "POST",
        agent: false,
        headers: { "x-api-key": KEY, "content-type": "application/json" },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => done({ status: answer.statusCode ?? 0, text }));
        answer.on("error", fail);
      },
    );
    call.on("error", fail);
    call.end(body);
  });
}

/** The pause of a loop between two requests, in ms: without it, the load takes the time of the processes that start. */
const PAUSE_MS = 10;

/** Requests one after the other, over so many loops at one time, until it is told to end: what came of each loop. */
export function load(loops: number, ask: () => Promise<{ status: number }>) {
  let isOver = false;
  const become = Array.from({ length: loops }, () => ({ answered: 0, refused: 0, failed: 0 }));
  const running = become.map(async (counts) => {
    while (!isOver) {
      const status = await ask().then(
        (answer) => answer.status,
        () => 0,
      );
      counts[status === 200 ? "answered" : status > 0 ? "refused" : "failed"] += 1;
      await setTimeout(PAUSE_MS);
    }
  });
  return {
    become,
    async end() {
      isOver = true;
      await Promise.all(running);
      return become;
    },
  };
}
