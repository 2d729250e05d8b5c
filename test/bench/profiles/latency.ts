import { flood, median, quantile, steady } from "../load.ts";
import { probeDisk } from "../probe.ts";
import type { Report, Row } from "../report.ts";
import { loadOf, type Rig, type Target } from "../rig.ts";
import { WANTED, wantedOf } from "../wanted.ts";

const PER_SECOND = 500;
const ROUNDS = 3;
const SECONDS = 3;
/** Before: while code is compiled and compiled anew, requests wait for hundreds of milliseconds. */
const WARM = 24_000;

const sayBoth = (values: number[]): string =>
  `${median(values).toFixed(2)} / ${quantile(values, 0.99).toFixed(2)} ms`;

/** Latency at a fixed rate, as what it is more than that of the direct call, and what the disk itself took meanwhile. */
export async function benchLatency(title: string, rig: Rig, report: Report): Promise<void> {
  const targets: Target[] = [rig.direct, await rig.baseline("dispatch")];
  for (const other of rig.beside) targets.push(await rig.baseline(other));
  for (const variant of rig.variants) targets.push(await rig.gateway(variant));
  targets.push(...(await rig.peers()));
  const times = new Map<Target, number[]>();
  const attempt = <T>({ mayFail }: Target, work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (!mayFail) throw error;
      return undefined;
    });
  for (const target of targets) await attempt(target, flood(loadOf(target), { count: WARM / rig.less }, 32));
  const probe = probeDisk(rig.folder);
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      const took = await attempt(target, steady(loadOf(target), PER_SECOND, SECONDS / rig.less));
      times.set(target, [...(times.get(target) ?? []), ...(took ?? [])]);
    }
  const waits = await probe.end();
  const base = times.get(rig.direct) ?? [];
  const rows = targets.map((target): Row => {
    const values = times.get(target) ?? [];
    const { name } = target;
    if (values.length === 0) return { target: name, value: "failed" };
    const more = (q: number): string => {
      const added = quantile(values, q) - quantile(base, q);
      return `${added < 0 ? "" : "+"}${added.toFixed(2)}`;
    };
    return {
      target: name,
      value: sayBoth(values),
      relative: target === rig.direct ? undefined : `${more(0.5)} / ${more(0.99)} on direct`,
      wanted: wantedOf(target, WANTED.latency),
    };
  });
  report.add(`${title}, p50 / p99`, [
    ...rows,
    { target: "the disk's own wait (fdatasync)", value: sayBoth(waits) },
  ]);
}
