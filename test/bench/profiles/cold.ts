import { flood, median, quantile, steady } from "../load.ts";
import { usageOf } from "../process-usage.ts";
import type { Report, Row } from "../report.ts";
import { loadOf, type Rig, type Target } from "../rig.ts";
import { WANTED, wantedOf } from "../wanted.ts";
import { WORKS } from "./throughput.ts";

const ROUNDS = 3;
const SECONDS = 5;
const PER_SECOND = 500;

/** The first seconds of one process. */
interface First {
  readyMs: number;
  readyCpu: number;
  cpu: number;
  p50: number;
  p99: number;
}

type Drive = (target: Target, seconds: number) => Promise<number[]>;
const DRIVES = {
  flood: async (target, seconds) =>
    (await flood(loadOf(target), { ms: seconds * 1_000 }, WORKS.small.connections)).latencies,
  steady: (target, seconds) => steady(loadOf(target), PER_SECOND, seconds),
} satisfies Record<string, Drive>;

async function first(rig: Rig, begin: () => Promise<Target>, drive: Drive): Promise<First> {
  const target = await begin();
  const { ms = Number.NaN, usage } = target.start ?? {};
  const cpu = (): number => usageOf(target.pid ?? 0)?.cpu ?? Number.NaN;
  const before = cpu();
  const latencies = await drive(target, SECONDS / rig.less);
  const after = cpu();
  await rig.end(target);
  return {
    readyMs: ms,
    readyCpu: usage?.cpu ?? Number.NaN,
    cpu: (after - before) / latencies.length,
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
  };
}

/** From the start of a process until it listens, and its first seconds of small requests. */
export async function benchCold(title: string, rig: Rig, report: Report): Promise<void> {
  const warm = await warmCost(rig);
  const starts = [
    { name: "dispatch", variant: undefined, begin: () => rig.baseline("dispatch") },
    ...rig.variants.map((variant) => ({
      ...{ name: variant.name, variant, begin: () => rig.gateway(variant) },
    })),
  ];
  const taken = new Map(starts.map(({ name }) => [name, { flood: [] as First[], steady: [] as First[] }]));
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, begin } of starts)
      for (const how of ["flood", "steady"] as const)
        taken.get(name)?.[how].push(await first(rig, begin, DRIVES[how]));
  const say = (row: (name: string, wanted: (text: string) => string | undefined) => Row): Row[] =>
    starts.map(({ name, variant }) => row(name, (text) => wantedOf({ variant }, text)));
  const of = (name: string, how: keyof typeof DRIVES, key: keyof First): number =>
    median((taken.get(name)?.[how] ?? []).map((one) => one[key]));
  report.add(
    `${title}: until it listens`,
    say((name, wanted) => ({
      target: name,
      value: `${(of(name, "flood", "readyMs") / 1_000).toFixed(2)} s`,
      cpu: `${(of(name, "flood", "readyCpu") / 1e6).toFixed(2)} s`,
      wanted: wanted(WANTED.ready),
    })),
  );
  const both = (name: string, how: keyof typeof DRIVES): string =>
    `${of(name, how, "p50").toFixed(2)} / ${of(name, how, "p99").toFixed(2)} ms`;
  report.add(
    `${title}: the first ${SECONDS} s, 32 connections, p50 / p99`,
    say((name, wanted) => ({
      target: name,
      value: both(name, "flood"),
      cpu: `${of(name, "flood", "cpu").toFixed(1)} µs`,
      relative: `${(of(name, "flood", "cpu") / warm).toFixed(2)} × dispatch, warm`,
      wanted: wanted(WANTED.coldFlood),
    })),
  );
  report.add(
    `${title}: the first ${SECONDS} s at ${PER_SECOND} requests a second, p50 / p99`,
    say((name, wanted) => ({
      target: name,
      value: both(name, "steady"),
      cpu: `${of(name, "steady", "cpu").toFixed(1)} µs`,
      wanted: wanted(WANTED.coldSteady),
    })),
  );
}

/** CPU of a small request through the dispatching proxy once it is warm. */
async function warmCost(rig: Rig): Promise<number> {
  const target = await rig.baseline("dispatch");
  const cost = async (): Promise<number> => {
    const before = usageOf(target.pid ?? 0)?.cpu ?? Number.NaN;
    const { count } = await flood(loadOf(target), { count: WORKS.small.warm / rig.less }, 32);
    return ((usageOf(target.pid ?? 0)?.cpu ?? Number.NaN) - before) / count;
  };
  await cost();
  const warm = await cost();
  await rig.end(target);
  return warm;
}
