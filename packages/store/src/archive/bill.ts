import { sql } from "kysely";
import type { Movement } from "../accounts/ledger.ts";
import type { Engine } from "../engine/engine.ts";
import type { Month } from "../engine/month.ts";
import { run } from "../engine/statement.ts";
import type { Generation } from "../usage/generation.ts";
import { COUNTED, toCounted } from "../usage/sums.ts";
import { ArchiveError } from "./error.ts";
import { boundsOf } from "./scan.ts";

const UNITS = [...COUNTED.map(([, column]) => column), "millis" as const];
type Unit = (typeof UNITS)[number];

/** The usage of one model by one key. */
export interface BillLine {
  /** Absent for sessions. */
  keyId?: string;
  /** As callers name it. */
  model: string;
  /** The number of ended requests. */
  requests: number;
  /** In micro-USD. */
  cost: number;
  /** The counts, without zeros; `millis` is the duration of media. */
  units: Partial<Record<Unit, number>>;
}

/** The usage of an account in a month, and the credit that it received. Amounts are micro-USD. */
export interface Bill {
  /** The account that pays. */
  accountId: string;
  /** As `2026-11`, in UTC. */
  month: Month;
  /** The lines, by key and model. */
  lines: BillLine[];
  /** The number of requests of all lines. */
  requests: number;
  /** The cost of all lines, in micro-USD. */
  cost: number;
  /** Credit and refunds of the month, oldest first. */
  movements: Pick<Movement, "id" | "kind" | "amount" | "createdAt">[];
}

const placeOf = ({ keyId = "", model }: Pick<BillLine, "keyId" | "model">): string => `${keyId}\n${model}`;

const sorted = (lines: Iterable<BillLine>): BillLine[] =>
  [...lines].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

/** Counts without zeros, in a fixed order. */
const unitsOf = (counts: BillLine["units"]): BillLine["units"] =>
  Object.fromEntries(UNITS.flatMap((unit) => (counts[unit] ? [[unit, counts[unit]]] : [])));

/** The lines of records. */
export async function linesOf(records: AsyncIterable<Generation>): Promise<BillLine[]> {
  const lines = new Map<string, BillLine>();
  for await (const { keyId, model, cost = 0, usage } of records) {
    const place = placeOf({ ...(keyId !== undefined && { keyId }), model });
    const line = lines.get(place) ?? {
      ...(keyId !== undefined && { keyId }),
      ...{ model, requests: 0, cost: 0, units: {} },
    };
    lines.set(place, line);
    line.requests += 1;
    line.cost += cost;
    const counted = toCounted(usage);
    for (const unit of UNITS) if (counted[unit]) line.units[unit] = (line.units[unit] ?? 0) + counted[unit];
  }
  return sorted(lines.values().map((line) => ({ ...line, units: unitsOf(line.units) })));
}

/** The lines of the hourly sums, which the database keeps for good. */
async function linesOfSums({ db, report }: Engine, accountId: string, month: Month): Promise<BillLine[]> {
  const { from, to } = boundsOf(month);
  const total = (name: string) => sql`CAST(SUM(${sql.ref(name)}) AS BIGINT) AS ${sql.ref(name)}`;
  type Row = { key_id: string; model: string } & Record<"requests" | "cost" | Unit, number>;
  const query = sql<Row>`SELECT key_id, model, ${sql.join(["requests", "cost", ...UNITS].map(total))}
    FROM hourly_sums WHERE account_id = ${accountId} AND hour >= ${from} AND hour < ${to}
    GROUP BY key_id, model HAVING SUM(requests) > 0`.compile(db);
  const rows = await report(() => run<Row>(query));
  return sorted(
    rows.map(({ key_id, model, requests, cost, ...counts }) => ({
      ...(key_id !== "" && { keyId: key_id }),
      ...{ model, requests, cost },
      units: unitsOf(counts),
    })),
  );
}

/** Credit that an account got in a month. */
async function creditOf({ db, report }: Engine, accountId: string, month: Month): Promise<Bill["movements"]> {
  const { from, to } = boundsOf(month);
  const rows = await report(() =>
    run(
      db
        .selectFrom("transfers")
        .select(["id", "kind", "amount", "created_at"])
        .where("credit_account", "=", accountId)
        // The same condition as the partial index has, so that the database uses it.
        .where("kind", "<>", sql.lit("charge"))
        .where("kind", "in", ["topup", "writeoff", "refund"])
        .where("created_at", ">=", from)
        .where("created_at", "<", to)
        .orderBy("created_at")
        .orderBy("id"),
    ),
  );
  return rows.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt }));
}

/**
 * Makes a bill from the hourly sums, or from the records of an archive if given. Throws `ArchiveError` if the records
 * do not agree with the sums.
 */
export async function makeBill(
  engine: Engine,
  { accountId, month }: Pick<Bill, "accountId" | "month">,
  records?: AsyncIterable<Generation>,
): Promise<Bill> {
  const sums = await linesOfSums(engine, accountId, month);
  const lines = records ? await linesOf(records) : sums;
  for (let at = 0; at < Math.max(lines.length, sums.length); at++) {
    const [found, wanted] = [JSON.stringify(lines[at] ?? {}), JSON.stringify(sums[at] ?? {})];
    if (found !== wanted)
      throw new ArchiveError(`${month}: the archive has ${found} of ${accountId}, the hourly sums ${wanted}`);
  }
  return {
    ...{ accountId, month, lines },
    requests: lines.reduce((sum, { requests }) => sum + requests, 0),
    cost: lines.reduce((sum, { cost }) => sum + cost, 0),
    movements: await creditOf(engine, accountId, month),
  };
}
