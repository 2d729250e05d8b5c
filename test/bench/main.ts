import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchCodecs } from "./codecs.ts";
import { benchHostile } from "./hostile.ts";
import { flood, type Load, median, open, quantile, steady } from "./load.ts";
import { benchObserver } from "./observe.ts";
import { benchScale } from "./scale/bench.ts";
import { chatRequest } from "./wires.ts";

/**
 * Measures the gateway, billing on, beside a piped proxy, an undici-dispatch proxy and no proxy at all: the same
 * upstream, alternating rounds in one run, printed as ratios. Absolute numbers drift with the machine; ratios hold.
 */
interface Target {
  name: string;
  origin: string;
  child?: ChildProcess;
  path?: string;
  headers?: Record<string, string>;
}

/**
 * Another gateway to stand beside ours, started by whoever runs the benchmark: `BENCH_PEER` is the URL of its chat
 * completions, `BENCH_PEER_HEADERS` what it wants to be told, in JSON, and `BENCH_UPSTREAM_PORT` where it finds the
 * upstream of the benchmark.
 */
function readPeer(): Target[] {
  const { BENCH_PEER: url, BENCH_PEER_HEADERS: told = "{}" } = process.env;
  if (url === undefined) return [];
  const { origin, pathname: path } = new URL(url);
  return [{ name: "peer", origin, path, headers: JSON.parse(told) as Record<string, string> }];
}

const ROUNDS = 5;
/** Servers run for weeks: what is measured is compiled code, and that takes some 20,000 requests. */
const WARM = 24_000;
const PATH = "/api/chatstyle/v1/chat/completions";
const headers = { "x-api-key": "bench-key-0123456789" };
const folder = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const children: ChildProcess[] = [];

async function launch(name: string, file: string, args: string[] = []): Promise<Target> {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ["--conditions=manifold", "--expose-gc"],
  });
  children.push(child);
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { port: number }));
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return { name, origin: `http://127.0.0.1:${port}`, child };
}

const usage = (target: Target, gc = false): Promise<{ cpu: NodeJS.CpuUsage; memory: number }> =>
  new Promise((resolve) => {
    target.child?.once("message", (message) => resolve(message as never));
    target.child?.send({ gc });
  });

const micros = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** Rates of every target in alternating rounds: the median of each, and CPU microseconds a unit where known. */
async function compare(
  title: string,
  targets: Target[],
  body: (target: Target) => string,
  count: number,
  connections: number,
  { units = 1, warm = count }: { units?: number; warm?: number } = {},
) {
  const rates = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  const lost = new Set<string>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const target of targets) {
      if (lost.has(target.name)) continue;
      const load: Load = {
        origin: target.origin,
        path: target.path ?? PATH,
        body: body(target),
        headers: { ...headers, ...target.headers },
      };
      const before = target.child && (await usage(target));
      const rate = await flood(load, round === 0 ? warm : count, connections).then(
        (done) => done.rate,
        (error: unknown) => {
          // What another gateway does not withstand is a result too.
          if (target.name !== "peer") throw error;
          lost.add(target.name);
          return Number.NaN;
        },
      );
      const after = target.child && (await usage(target));
      // The first round warms up.
      if (round === 0) continue;
      rates.set(target.name, [...(rates.get(target.name) ?? []), rate]);
      if (before && after)
        costs.set(target.name, [
          ...(costs.get(target.name) ?? []),
          (micros(after.cpu) - micros(before.cpu)) / count / units,
        ]);
    }
  }
  console.log(`\n${title}`);
  const of = (name: string): number => median(rates.get(name) ?? []);
  for (const { name } of targets) {
    if (lost.has(name)) {
      console.log(`  ${name.padEnd(12)} failed under this load`);
      continue;
    }
    const cpu = costs.get(name);
    const ratios = targets
      .filter((other) => other.name !== name && !lost.has(other.name))
      .map((other) => `${(of(name) / of(other.name)).toFixed(2)} × ${other.name}`);
    console.log(
      `  ${name.padEnd(12)} ${of(name).toFixed(0).padStart(7)}/s  ${cpu ? `${median(cpu).toFixed(1).padStart(7)} µs CPU` : " ".repeat(14)}  ${ratios.join("  ")}`,
    );
  }
}

const [profile, seconds, ...kinds] = process.argv.slice(2);
if (profile === "scale") {
  benchScale();
  process.exit(0);
}
if (profile === "hostile") {
  await benchHostile(Number(seconds ?? 30), kinds);
  process.exit(0);
}
try {
  const upstream = await launch("upstream", "./upstream.ts");
  const direct: Target = { name: "direct", origin: upstream.origin };
  const piped = await launch("piped", "./proxies.ts", ["piped", upstream.origin]);
  const dispatch = await launch("dispatch", "./proxies.ts", ["dispatch", upstream.origin]);
  const gateway = await launch("gateway", "./gateway.ts", [upstream.origin, join(folder, "bench.db")]);
  const unbilled = await launch("unbilled", "./gateway.ts", [
    upstream.origin,
    join(folder, "unbilled.db"),
    "free",
  ]);
  const translated: Target = { ...gateway, name: "translated" };
  const all = [direct, piped, dispatch, gateway];
  const peer = readPeer();
  const bodyFor = (options: Parameters<typeof chatRequest>[0]) => (target: Target) =>
    chatRequest({ ...options, model: target.name === "translated" ? "bench-translated" : "bench" });

  await compare(
    "small JSON, 2 KB in, 1 KB out, 32 connections",
    [...all, unbilled, translated, ...peer],
    bodyFor({}),
    4_000,
    32,
    { warm: WARM },
  );
  await compare(
    "SSE, burst of 200 events, 16 connections (CPU an event)",
    [...all, translated, ...peer],
    bodyFor({ stream: true }),
    600,
    16,
    { units: 200, warm: 2_000 },
  );
  await compare(
    "SSE, 200 events paced at 10 ms, 50 streams (CPU an event)",
    [piped, dispatch, gateway, translated],
    bodyFor({ stream: true, note: "[[paced]]" }),
    50,
    50,
    { units: 200 },
  );
  await compare(
    "1 MB body with an image, 8 connections",
    [...all, ...peer],
    bodyFor({ image: 1_000_000 }),
    200,
    8,
  );

  console.log("\nlatency at 500 requests a second, ms");
  const at = new Map<string, number[]>();
  for (let round = 0; round < 3; round++)
    for (const target of all)
      at.set(target.name, [
        ...(at.get(target.name) ?? []),
        ...(await steady({ origin: target.origin, path: PATH, body: chatRequest({}), headers }, 500, 3)),
      ]);
  const base = at.get("direct") ?? [];
  for (const { name } of all) {
    const values = at.get(name) ?? [];
    const more = (q: number): string => (quantile(values, q) - quantile(base, q)).toFixed(2);
    console.log(
      `  ${name.padEnd(12)} p50 ${median(values).toFixed(2)} (+${more(0.5)})  p99 ${quantile(values, 0.99).toFixed(2)} (+${more(0.99)})`,
    );
  }

  // What the process holds after a collection; its resident size moves by more than this for other reasons.
  console.log("\nmemory with 1,000 open streams, heap and buffers");
  for (const target of [piped, dispatch, gateway]) {
    const before = await usage(target, true);
    const close = await open(
      { origin: target.origin, path: PATH, body: chatRequest({ stream: true, note: "[[hold]]" }), headers },
      1_000,
    );
    const after = await usage(target, true);
    console.log(
      `  ${target.name.padEnd(12)} ${((after.memory - before.memory) / 1_000 / 1024).toFixed(1)} KB a stream`,
    );
    close();
  }
  benchCodecs();
  await benchObserver();
} finally {
  for (const child of children) child.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
