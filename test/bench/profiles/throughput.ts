import { contest, type Entrant, type Result, type Work } from "../contest.ts";
import type { Report, Row } from "../report.ts";
import type { Rig, Target } from "../rig.ts";
import { WANTED, wantedOf } from "../wanted.ts";

/** How the results of some work are reported. */
interface Form {
  /** Events of a request, where CPU is reported for an event. */
  events?: number;
  wanted?: string;
}

export const WORKS = {
  small: { request: {}, connections: 32, warm: 24_000, wanted: WANTED.small },
  burst: { request: { stream: true }, connections: 16, warm: 2_000, wanted: WANTED.burst },
  paced: {
    ...{ request: { stream: true, note: "[[paced]]" }, connections: 50, warm: 100, events: 200 },
    wanted: WANTED.paced,
  },
  body: { request: { image: 1_000_000 }, connections: 8, warm: 200, wanted: WANTED.body },
} satisfies Record<string, Work & Form>;

/** Reports results; those of the first entrant are what the others are beside. */
export function rowsOf(
  entrants: readonly Entrant[],
  results: readonly (Result | undefined)[],
  form: (entrant: Entrant) => Form,
  nameOf = ({ target }: Entrant): string => target.name,
): Row[] {
  const [first] = results;
  const [base] = entrants as [Entrant];
  return entrants.map((entrant, i): Row => {
    const target = nameOf(entrant);
    const result = results[i];
    if (!result) return { target, value: "failed" };
    const { rate, cpu, resident } = result;
    const { events = 1, wanted } = form(entrant);
    const isBeside = i > 0 && first !== undefined;
    return {
      target,
      value: `${rate.toFixed(0)}/s`,
      cpu: cpu === undefined ? undefined : `${(cpu / events).toFixed(1)} µs${events > 1 ? " an event" : ""}`,
      relative:
        isBeside && cpu && first.cpu ? `${(cpu / first.cpu).toFixed(2)} × ${nameOf(base)}` : undefined,
      wanted: wantedOf(entrant.target, wanted),
      also: [
        ...(isBeside ? [`${(rate / first.rate).toFixed(2)} × the rate of ${nameOf(base)}`] : []),
        ...(resident ? [`${resident.toFixed(0)} MB resident`] : []),
      ].join(", "),
    };
  });
}

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
  targets.push(...rig.peers);
  const entrants = targets.map((target) => ({ target, work }));
  const form = ({ target: { accounts = 1 } }: Entrant): Form =>
    name === "small" && accounts > 1 ? { ...work, wanted: WANTED.manyKeys } : work;
  report.add(title, rowsOf(entrants, await contest(entrants, rig.less), form));
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
    const results = await contest(entrants, rig.less);
    report.add(
      `${title}: ${how}`,
      rowsOf(entrants, results, () => ({ wanted })),
    );
    await rig.clear();
  }
}
