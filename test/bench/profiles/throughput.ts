import { contest, type Entrant, type Work } from "../contest.ts";
import type { Report } from "../report.ts";
import { type Form, rowsOf } from "../results.ts";
import type { Rig, Target } from "../rig.ts";
import { WANTED } from "../wanted.ts";

export const WORKS = {
  small: { request: {}, connections: 32, warm: 24_000, wanted: WANTED.small },
  burst: { request: { stream: true }, connections: 16, warm: 16_000, wanted: WANTED.burst },
  paced: {
    ...{ request: { stream: true, note: "[[paced]]" }, connections: 50, warm: 100, events: 200 },
    wanted: WANTED.paced,
  },
  body: { request: { image: 1_000_000 }, connections: 8, warm: 200, wanted: WANTED.body },
} satisfies Record<string, Work & Form>;

/** Requests a second, and CPU, beside the dispatching proxy. */
export async function benchThroughput(
  name: keyof typeof WORKS,
  title: string,
  rig: Rig,
  report: Report,
): Promise<void> {
  const work: Work & Form = WORKS[name];
  const targets: Target[] = [await rig.baseline("dispatch")];
  for (const other of rig.beside) targets.push(await rig.baseline(other));
  for (const variant of rig.variants) targets.push(await rig.gateway(variant));
  targets.push(...(await rig.peers()));
  const entrants = targets.map((target) => ({ target, work }));
  const form = ({ target: { accounts = 1 } }: Entrant): Form =>
    name === "small" && accounts > 1 ? { ...work, wanted: WANTED.manyKeys } : work;
  report.add(title, rowsOf(entrants, await contest(entrants, rig), form));
}

/** The same requests translated, beside a proxy that does nothing but translate. */
export async function benchTranslation(title: string, rig: Rig, report: Report): Promise<void> {
  for (const [how, name, wanted] of [
    ["unary", "small", WANTED.unary],
    ["200 events", "burst", WANTED.events],
  ] as const) {
    const targets = [await rig.baseline("translator")];
    for (const variant of rig.variants)
      targets.push({ ...(await rig.gateway(variant)), model: "bench-translated" });
    const entrants = targets.map((target) => ({ target, work: WORKS[name] }));
    const results = await contest(entrants, rig);
    report.add(
      `${title}: ${how}`,
      rowsOf(entrants, results, () => ({ wanted })),
    );
    await rig.clear();
  }
}
