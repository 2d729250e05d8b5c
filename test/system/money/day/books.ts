import type { Database } from "../../../store/databases/database.ts";
import type { Json } from "../../../support/caller.ts";
import { BALANCE, SHARE } from "./config.ts";
import type { Day } from "./load.ts";
import type { Asked } from "./requests.ts";
import { costsOf, isMeasured, isServed, isUnreported, type Row, type Truth } from "./truth.ts";

type Records = ReadonlyMap<string, readonly Row[]>;
type Truths = ReadonlyMap<string, Truth>;

const LINE = /l\d+-$/;
/** The most that an estimate may come to: it counts bytes, and more of what it cannot see. */
const bound = (cost: number): number => 3 * cost + 500;

/** A reply that its guard did not let pass was generated all the same. */
const isRefused = ({ guards = [] }: Json): boolean =>
  guards.some(({ phase, decision }: Json) => phase === "reply" && !["allowed", "masked"].includes(decision));

/** What is wrong with one record, in words. */
function wrongOf({ status, cost, held, usage, route }: Row, truth: Truth, asked?: Asked): string | undefined {
  const served = costsOf(truth);
  const most = Math.max(0, ...served);
  if (status === "pending") return "is pending";
  // The requests that share an answer are judged together.
  if (route.cache) return undefined;
  // A checkpoint may be an estimate, so the hold bounds it and not what the provider counted.
  if (usage.recovered)
    return status !== "failed" || cost > held ? "is recovered above its hold, or with success" : undefined;
  if (usage.estimated) {
    const mayBe = asked === undefined || asked.isSpoiled || isUnreported(truth) || status === "aborted";
    if (!mayBe) return "is estimated without cause";
    const isFree = cost === 0 && most > 0 && status === "succeeded";
    return cost > bound(most) || isFree ? "is estimated too high, or at nothing" : undefined;
  }
  if (status === "failed" || status === "cancelled") {
    if (cost === 0) return undefined;
    if (usage.output === 0) return "is charged for no text, although some had arrived";
    // What broke off is charged by what had arrived.
    const mayCost = isRefused(route) ? served.includes(cost) : asked?.isSpoiled && cost <= most;
    return status === "failed" && mayCost ? undefined : "did not succeed, and costs something";
  }
  return served.includes(cost) || isMeasured(truth, cost) ? undefined : "costs something else than was used";
}

/** What is wrong with the end of one request, with all that is known of it. */
export function faultsOf(mark: string, rows: readonly Row[], truth: Truth, asked?: Asked): string[] {
  const isUnknown = rows.length === 0 && truth.entries.length > 0 && !LINE.test(mark);
  const faults = [
    ...(isUnknown ? ["has no record"] : []),
    ...(rows.filter(({ cost }) => cost > 0).length > 1 ? ["is charged twice"] : []),
    ...(asked && truth.mediaJobs.filter(({ state }) => state !== "failed").length > 1
      ? ["was begun twice"]
      : []),
    ...rows.flatMap((row) => wrongOf(row, truth, asked) ?? []),
  ];
  const records = rows.map(({ model, status, cost, usage }) => ({ model, status, cost, usage }));
  const used = truth.entries.map(({ model, usage, delivered, status }) => ({
    ...{ model, delivered, status },
    ...{ input: usage.input, output: usage.output },
  }));
  const made = truth.mediaJobs.map(({ model, state, billed }) => ({ model, state, billed }));
  return faults.map(
    (fault) => `${mark} ${fault}: ${JSON.stringify({ records, used, made, ...said(asked) })}`,
  );
}

const said = (asked: Asked | undefined): object => ({
  path: asked?.path,
  body:
    asked?.body instanceof Uint8Array
      ? Buffer.from(asked.body).toString("latin1").slice(0, 500)
      : JSON.stringify(asked?.body)?.slice(0, 500),
});

/**
 * What is wrong with lines that were sent and have no record of their own: each was given back after its process was
 * killed, which other records of the batch say, without the line.
 */
export const interruptedFaults = ({ batches }: Pick<Day, "batches">, records: Records, truths: Truths) =>
  batches.flatMap(({ mark, lines }) => {
    const sent = Array.from({ length: lines }, (_, at) => `${mark}l${at}-`).filter(
      (line) => truths.has(line) && !records.has(line),
    );
    const given = (records.get(mark) ?? []).filter(({ status, cost }) => status === "failed" && cost === 0);
    return sent.length > given.length
      ? [`${mark}: ${sent.join()} were sent, and ${given.length} given back`]
      : [];
  });

/** What is wrong with requests that share an answer: a provider answered, or an answer of their account did. */
export function sharedFaults({ asked }: Pick<Day, "asked">, records: Records, truths: Truths) {
  const faults: string[] = [];
  const charges = new Map<string, number>();
  const marks = new Map([...records].flatMap(([mark, rows]) => rows.map((row) => [row.id, { mark, row }])));
  let hits = 0;
  for (const [mark, { shared, payer }] of asked) {
    if (!shared) continue;
    for (const { cost, route } of records.get(mark) ?? []) {
      if (!route.cache) {
        if (cost > 0) charges.set(shared, (charges.get(shared) ?? 0) + 1);
        continue;
      }
      hits += 1;
      const first = marks.get(route.cache.of);
      const before = first && asked.get(first.mark);
      if (before?.shared !== shared || before.payer !== payer)
        faults.push(`${mark} has an answer of another`);
      else if (cost !== Math.ceil(first!.row.cost * SHARE)) faults.push(`${mark} costs no share: ${cost}`);
    }
  }
  for (const [shared, count] of charges) {
    const served = (truths.get(shared)?.entries ?? []).filter(isServed).length;
    if (count > served) faults.push(`${shared} was served ${served} times, and charged ${count} times`);
  }
  return { faults, hits };
}

/** What is wrong between what callers saw and the records. */
export const answerFaults = ({ asked, replies }: Day, records: Records): string[] =>
  [...replies].flatMap(([mark, { status, generation, whole }]) => {
    if (status !== 200) return [];
    const row = (records.get(mark) ?? []).find(({ id }) => id === generation);
    if (!row) return [`${mark} was answered, and has no record ${generation}`];
    const isJob = asked.get(mark)?.cancels !== undefined;
    return whole && !isJob && row.usage.recovered ? [`${mark} was answered whole, and is recovered`] : [];
  });

/** What is wrong with the results of batches: each line once, and one record of success for each answer. */
export const resultFaults = (
  results: ReadonlyMap<Day["batches"][number], readonly { name: string; isAnswered: boolean }[]>,
  records: Records,
): string[] =>
  [...results].flatMap(([{ mark, lines }, all]) => {
    const wanted = Array.from({ length: lines }, (_, at) => `${mark}l${at}-`);
    const isOnce = JSON.stringify(all.map(({ name }) => name).sort()) === JSON.stringify(wanted.sort());
    const wrong = all.filter(({ name, isAnswered }) => {
      const paid = (records.get(name) ?? []).filter(({ status }) => status === "succeeded");
      return paid.length !== Number(isAnswered);
    });
    return [
      ...(isOnce ? [] : [`${mark} ended ${all.length} of ${lines} lines`]),
      ...wrong.map(({ name, isAnswered }) => `${name} is answered: ${isAnswered}, unlike its records`),
    ];
  });

/** What is wrong with the sums: each balance is what is left, and nothing is held. */
export async function sumFaults(database: Database): Promise<string[]> {
  const rows = await database.execute(
    `SELECT name, balance, held, (SELECT COALESCE(SUM(g.cost), 0) FROM generations AS g WHERE g.account_id = a.id)
      AS spent FROM accounts AS a`,
  );
  return rows.flatMap(({ name, balance, held, spent }) =>
    Number(balance) + Number(spent) === BALANCE && Number(held) === 0
      ? []
      : [`${name}: balance ${balance}, held ${held}, spent ${spent}`],
  );
}
