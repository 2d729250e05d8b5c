import { contest, type Entrant } from "../contest.ts";
import type { Report } from "../report.ts";
import { rowsOf } from "../results.ts";
import type { Rig, Target } from "../rig.ts";
import { WORKS } from "./throughput.ts";

/** Shapes of work, and which of two models they use. */
const SHAPES = [
  ["small", "small", "bench", "dispatch"],
  ["streams", "burst", "bench", "dispatch"],
  ["translated", "small", "bench-translated", "translator"],
  ["translated streams", "burst", "bench-translated", "translator"],
] as const;

/**
 * Work of several shapes in turn on one process: code that is compiled for one shape alone is faster than a server that
 * takes all of them.
 */
export async function benchMix(title: string, rig: Rig, report: Report): Promise<void> {
  const base = { dispatch: await rig.baseline("dispatch"), translator: await rig.baseline("translator") };
  const gateways: Target[] = [];
  for (const variant of rig.variants) gateways.push(await rig.gateway(variant));
  const all = SHAPES.map(([shape, work, model, baseline]) => ({
    shape,
    entrants: [base[baseline], ...gateways].map(
      (target): Entrant => ({ target: { ...target, model }, work: WORKS[work] }),
    ),
  }));
  const results = await contest(
    all.flatMap(({ entrants }) => entrants),
    rig,
  );
  for (const { shape, entrants } of all) {
    const own = results.splice(0, entrants.length);
    report.add(
      `${title}: ${shape}`,
      rowsOf(entrants, own, () => ({})),
    );
  }
}
