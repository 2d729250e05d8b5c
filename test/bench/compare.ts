import { flood, median } from "./load.ts";
import type { Row } from "./report.ts";
import { cpuBetween, loadOf, type Target, usageOf } from "./rig.ts";
import type { chatRequest } from "./wires.ts";

const ROUNDS = 5;

/** A load that targets are compared under. */
export interface Comparison {
  request: Parameters<typeof chatRequest>[0];
  count: number;
  connections: number;
  /** Events of one request, where CPU is told for an event. */
  events?: number;
  /** Requests before it is measured. */
  warm?: number;
}

/** Rates of every target in alternating rounds: the median of each, and CPU microseconds where the server is ours. */
export async function compare(
  targets: readonly Target[],
  beside: readonly string[],
  { request, connections, events = 1, ...load }: Comparison,
  less = 1,
): Promise<Row[]> {
  const count = Math.ceil(load.count / less);
  const warm = Math.ceil((load.warm ?? load.count) / less);
  const rates = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  const lost = new Set<string>();
  for (let round = 0; round <= ROUNDS; round++) {
    // Whoever comes first in a round comes last in the next one.
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const { name } = target;
      if (lost.has(name)) continue;
      const before = await usageOf(target);
      const rate = await flood(loadOf(target, request), round === 0 ? warm : count, connections).then(
        (done) => done.rate,
        (error: unknown) => {
          if (!target.mayFail) throw error;
          lost.add(name);
          return Number.NaN;
        },
      );
      const after = await usageOf(target);
      // The first round warms up.
      if (round === 0) continue;
      rates.set(name, [...(rates.get(name) ?? []), rate]);
      if (before && after)
        costs.set(name, [...(costs.get(name) ?? []), cpuBetween(before, after) / count / events]);
    }
  }
  const of = (name: string): number => median(rates.get(name) ?? []);
  return targets.map(({ name }): Row => {
    if (lost.has(name)) return { target: name, value: "failed" };
    const cpu = costs.get(name);
    const others = beside.filter((other) => other !== name && rates.has(other) && !lost.has(other));
    return {
      target: name,
      value: `${of(name).toFixed(0)}/s`,
      ...(cpu && { cpu: `${median(cpu).toFixed(1)} µs${events > 1 ? " an event" : ""}` }),
      ratios: others.map((other) => `${(of(name) / of(other)).toFixed(2)} × ${other}`),
    };
  });
}
