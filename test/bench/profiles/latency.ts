import { flood, median, quantile, steady } from "../load.ts";
import { probeDisk } from "../probe.ts";
import type { Report } from "../report.ts";
import { loadOf, type Rig } from "../rig.ts";

const PER_SECOND = 500;
const ROUNDS = 3;
const SECONDS = 3;
/** Before: while code is compiled and compiled anew, requests wait for hundreds of milliseconds. */
const WARM = 24_000;

/** Latency at a fixed rate, as what it is more than that of the direct call, and what the disk itself took meanwhile. */
export async function benchLatency(
  title: string,
  { baselines, gateways, peers, folder, less }: Rig,
  report: Report,
): Promise<void> {
  const targets = [...baselines, ...gateways, ...peers];
  const times = new Map<string, number[]>();
  for (const target of targets)
    await flood(loadOf(target), WARM / less, 32).catch((error: unknown) => {
      if (!target.mayFail) throw error;
    });
  const probe = probeDisk(folder);
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      const took = await steady(loadOf(target), PER_SECOND, SECONDS / less).catch((error: unknown) => {
        if (!target.mayFail) throw error;
        return [];
      });
      times.set(target.name, [...(times.get(target.name) ?? []), ...took]);
    }
  const waits = await probe.end();
  const base = times.get("direct") ?? [];
  const rows = targets.map(({ name }) => {
    const values = times.get(name) ?? [];
    if (values.length === 0) return { target: name, value: "failed" };
    const more = (q: number): string => {
      const added = quantile(values, q) - quantile(base, q);
      return `${added < 0 ? "" : "+"}${added.toFixed(2)}`;
    };
    return {
      target: name,
      value: `${median(values).toFixed(2)} / ${quantile(values, 0.99).toFixed(2)}`,
      ratios: [`${more(0.5)} / ${more(0.99)} on direct`],
    };
  });
  const disk = `${median(waits).toFixed(2)} / ${quantile(waits, 0.99).toFixed(2)}`;
  report.add(`${title}, p50 / p99`, [...rows, { target: "the disk's own wait (fdatasync)", value: disk }]);
}
