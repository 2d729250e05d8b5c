import { type Comparison, compare } from "../compare.ts";
import type { Report } from "../report.ts";
import type { Rig, Target } from "../rig.ts";

/** Servers run for weeks: what is measured is compiled code, and that takes some 20,000 requests. */
const WARM = 24_000;

const loads = {
  small: { request: {}, count: 4_000, connections: 32, warm: WARM },
  burst: { request: { stream: true }, count: 600, connections: 16, events: 200, warm: 2_000 },
  paced: { request: { stream: true, note: "[[paced]]" }, count: 50, connections: 50, events: 200 },
  body: { request: { image: 1_000_000 }, count: 200, connections: 8 },
} satisfies Record<string, Comparison>;

/** Requests a second, and CPU, beside the baselines and the first gateway. */
export async function benchThroughput(
  name: keyof typeof loads,
  title: string,
  { baselines, gateways, peers, less }: Rig,
  report: Report,
): Promise<void> {
  const targets = [...baselines, ...gateways, ...peers];
  // A bare proxy for everything, and of gateways those that differ in one thing.
  const beside = ["dispatch", "piped", ...gateways.map((gateway) => gateway.name)];
  report.add(title, await compare(targets, beside, loads[name], less));
}

/** The same requests with and without translation. */
export async function benchTranslation(
  title: string,
  { baselines, gateways, less }: Rig,
  report: Report,
): Promise<void> {
  const dispatch = baselines.filter(({ name }) => name === "dispatch");
  const translated = gateways.map(
    (gateway): Target => ({
      ...gateway,
      name: `${gateway.name}, translated`,
      model: "bench-translated",
    }),
  );
  const targets = [...dispatch, ...gateways, ...translated];
  const beside = ["dispatch", ...gateways.map(({ name }) => name)];
  for (const [how, load] of [
    ["unary", { ...loads.small, warm: WARM / 2 }],
    ["200 events", { ...loads.burst, events: 1 }],
  ] as const)
    report.add(`${title}: ${how}`, await compare(targets, beside, load, less));
}
