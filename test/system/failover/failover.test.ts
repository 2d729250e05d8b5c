import { appendFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, primaryOf } from "../../../deploy/cluster/cluster.ts";
import type { Member } from "../../../deploy/cluster/plan.ts";
import { until } from "../../../deploy/cluster/processes.ts";
import { missingPackages } from "../../../deploy/cluster/programs.ts";
import { setting } from "../money/places.ts";
import { compareBooks, isSettled } from "./books.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { type Load, startLoad } from "./load.ts";
import { type Stage, startStage } from "./stage.ts";

/** The faults to run: `all`, or some words of each, such as `killed,switchover`. Without it there is no run. */
const WANTED = process.env.FAILOVER;
const RUNS = setting("FAILOVER_RUNS", 1);
const PER_SECOND = setting("FAILOVER_RATE", 300);
const PORT = setting("FAILOVER_PORT", 17_400);
const POOLER = process.env.FAILOVER_POOLER !== undefined;
/** A file to which each run appends a line of JSON. */
const FIGURES = process.env.FAILOVER_FIGURES;
/** A file for all answers of the last run, beside which the logs are put. */
const TRACE = process.env.FAILOVER_TRACE;

const missing = missingPackages();
const skipped =
  WANTED === undefined
    ? "(FAILOVER names no faults)"
    : missing.length > 0
      ? `(there is no ${missing.join(", ")})`
      : "";
const names = Object.keys(FAULTS).filter(
  (name) => WANTED === "all" || WANTED?.split(",").some((word) => name.includes(word)),
);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** All members take part, and the primary waits for one of the others. */
async function wholeOf({ plan }: Stage): Promise<{ primary: Member; replica: Member } | undefined> {
  const primary = await primaryOf(plan);
  if (!primary) return undefined;
  const rows = await ask(
    primary,
    "SELECT application_name AS name, sync_state AS state FROM pg_stat_replication",
  ).catch(() => []);
  const replica = plan.members.find(({ name }) =>
    rows.some((row) => row.name === name && (row.state === "sync" || row.state === "quorum")),
  );
  return replica && rows.length === plan.members.length - 1 ? { primary, replica } : undefined;
}

/** The moment at which another member says that it is the primary; `undefined` if none does until then. */
async function electedUntil(end: number, { plan }: Stage, former: Member): Promise<number | undefined> {
  const members = plan.members.filter(({ name }) => name !== former.name);
  while (Date.now() < end) {
    if (await primaryOf({ ...plan, members })) return Date.now();
    await pause(50);
  }
  return undefined;
}

const succeeded = ({ answers }: Load, from: number): number[] =>
  [...answers.values()].flatMap(({ status, whole, endedAt }) =>
    status === 200 && whole && endedAt >= from ? [endedAt] : [],
  );

async function survive(stage: Stage, name: string, fault: Fault): Promise<void> {
  await until("all members", async () => (await wholeOf(stage)) !== undefined, 180_000);
  const { primary, replica } = (await wholeOf(stage))!;
  const load = startLoad(stage.origin, PER_SECOND);
  const moments: Record<string, number | undefined> = {};
  let isOver = false;
  try {
    const warm = Date.now();
    await until("load", () => succeeded(load, warm).length > PER_SECOND * 3, 60_000);
    const beganAt = Date.now();
    moments.beganAt = beganAt;
    const begun = fault.begin(stage, primary, replica);
    const elected = fault.isKept ? beganAt : await electedUntil(beganAt + fault.lastsMs, stage, primary);
    await begun;
    await until("its end", () => Date.now() - beganAt >= fault.lastsMs, fault.lastsMs + 60_000);
    await fault.end?.(stage, primary, replica);
    isOver = true;
    const endedAt = Date.now();
    // Without another primary, the same one goes on once what befell it is over.
    const electedAt = elected ?? endedAt;
    Object.assign(moments, { endedAt, electedAt });
    await until("a success", () => succeeded(load, electedAt).length > 0, 120_000);
    const backMs = Math.min(...succeeded(load, electedAt)) - electedAt;
    // The member comes back under load.
    await until("load after it", () => succeeded(load, endedAt).length > PER_SECOND * 3, 120_000);
    await load.stop();
    await until("all settled", () => isSettled(stage), 120_000);
    const { lost, doubled, wrong, audit, charged } = await compareBooks(stage, load.answers);
    const all = [...load.answers.values()];
    const figures = {
      fault: name,
      pooler: POOLER,
      requests: all.length,
      succeeded: all.filter(({ status, whole }) => status === 200 && whole).length,
      refused: all.filter(({ status, whole }) => status !== undefined && status !== 200 && whole).length,
      broken: all.filter(({ whole }) => !whole).length,
      charged,
      electedMs: elected === undefined ? null : elected - beganAt,
      backMs,
      longestMs: Math.max(...all.map(({ at, endedAt: ended }) => ended - at)),
      lost: lost.length,
      doubled: doubled.length,
      wrong: wrong.length,
      audit: audit.length,
    };
    console.log(JSON.stringify(figures));
    if (FIGURES) appendFileSync(FIGURES, `${JSON.stringify(figures)}\n`);
    expect({ lost, doubled, wrong, audit }).toEqual({ lost: [], doubled: [], wrong: [], audit: [] });
    expect(figures.backMs).toBeLessThan(5_000);
    expect(figures.longestMs).toBeLessThan(30_000);
  } finally {
    if (!isOver) await Promise.resolve(fault.end?.(stage, primary, replica)).catch(() => {});
    await load.stop();
    if (TRACE) writeFileSync(TRACE, JSON.stringify({ moments, answers: [...load.answers] }));
  }
}

describe.skipIf(skipped !== "")(`a primary that fails under load ${skipped}`, () => {
  let stage: Stage;
  beforeAll(async () => {
    if (skipped !== "") return;
    const smallDisks = names.some((name) => name.includes("disk"));
    stage = await startStage({ pooler: POOLER, port: PORT, smallDisks, logs: TRACE && `${TRACE}.logs` });
  }, 240_000);
  afterAll(() => stage?.stop(), 120_000);

  const cases = Array.from({ length: RUNS }, (_, run) => names.map((name) => ({ name, run }))).flat();
  it.each(cases)("loses and doubles nothing where $name, run $run", { timeout: 600_000 }, ({ name }) =>
    survive(stage, name, FAULTS[name]!),
  );
});
