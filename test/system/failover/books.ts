import type { LedgerEntry } from "@manifold-gateway/simulator";
import { openPostgres } from "@manifold-gateway/store";
import { ask, primaryOf } from "../../../deploy/cluster/cluster.ts";
import { type Answer, BALANCE, PRICE } from "./load.ts";
import type { Stage } from "./stage.ts";

/** What is wrong with the books, compared with the provider's ledger and with what callers were answered. */
export interface Books {
  /** Answers that came to their end, without the record and charge that they have to have. */
  lost: string[];
  /** Requests that the provider served twice, or that were charged twice. */
  doubled: string[];
  /** Records or balances that differ from the provider's ledger. */
  wrong: string[];
  audit: string[];
  charged: number;
}

type Row = Record<string, unknown>;

const rowsOf = async ({ plan }: Stage, sql: string): Promise<Row[]> => {
  const primary = await primaryOf(plan);
  if (!primary) throw new Error("there is no primary");
  return ask(primary, sql, "manifold");
};

/** True once no request is under way and all credit that was set aside is back. */
export async function isSettled(stage: Stage): Promise<boolean> {
  const [row] = await rowsOf(
    stage,
    "SELECT (SELECT count(*) FROM generations WHERE status = 'pending') + (SELECT sum(held) FROM accounts) AS open",
  ).catch(() => []);
  return Number(row?.open ?? 1) === 0;
}

const markOf = (entry: LedgerEntry): string => /mark-\d+-\d+-/.exec(JSON.stringify(entry.request))?.[0] ?? "";
const costOf = ({ usage }: LedgerEntry): number => usage.input * PRICE.input + usage.output * PRICE.output;

/** Compares the books with the ledger for the requests of one load; balances for all since the start. */
export async function compareBooks(stage: Stage, answers: ReadonlyMap<string, Answer>): Promise<Books> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const wrong: string[] = [];
  const rows = await rowsOf(stage, "SELECT id, status, cost, end_user AS mark FROM generations");
  const records = new Map<string, Row>();
  for (const row of rows) {
    const mark = String(row.mark);
    if (records.has(mark)) doubled.push(`${mark} has two records`);
    records.set(mark, row);
  }
  const served = new Map<string, LedgerEntry>();
  for (const entry of stage.simulator.ledger.entries) {
    const mark = markOf(entry);
    if (served.has(mark)) doubled.push(`${mark} was served twice`);
    served.set(mark, entry);
  }
  for (const [mark, answer] of answers) {
    const record = records.get(mark);
    const entry = served.get(mark);
    const cost = Number(record?.cost ?? 0);
    if (answer.status === 200 && answer.whole) {
      const isRight = record?.status === "succeeded" && entry !== undefined && cost === costOf(entry);
      if (!isRight || record?.id !== answer.generation) lost.push(`${mark}: ${JSON.stringify(record)}`);
      continue;
    }
    // A whole answer whose end could not be written is kept from its client, and given up.
    const isGivenUp = record?.status === "failed" && cost === 0 && answer.status === 503;
    if (entry === undefined ? cost !== 0 : !isGivenUp && cost !== costOf(entry))
      wrong.push(`${mark}: answered ${answer.status}, ${JSON.stringify(record)}, ${entry && costOf(entry)}`);
  }
  const charges = await rowsOf(
    stage,
    "SELECT generation_id AS id FROM transfers WHERE kind = 'charge' AND generation_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
  );
  for (const { id } of charges) doubled.push(`${id} has two charges`);
  const sums = await rowsOf(
    stage,
    `SELECT a.name, a.balance, a.held, COALESCE(SUM(g.cost), 0) AS spent FROM accounts AS a
      LEFT JOIN generations AS g ON g.account_id = a.id GROUP BY 1, 2, 3`,
  );
  for (const { name, balance, held, spent } of sums)
    if (Number(balance) + Number(spent) !== BALANCE || Number(held) !== 0)
      wrong.push(`${name}: balance ${balance}, held ${held}, spent ${spent}`);
  const store = await openPostgres({ url: stage.plan.database });
  try {
    const charged = [...answers.keys()].filter((mark) => Number(records.get(mark)?.cost ?? 0) > 0).length;
    return { lost, doubled, wrong, audit: (await store.money.audit()).map(String), charged };
  } finally {
    await store.close();
  }
}
