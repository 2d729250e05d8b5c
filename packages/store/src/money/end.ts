import { sql } from "kysely";
import { REVENUE } from "../accounts/accounts.ts";
import { type Column, prepareEach, toRounds } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { toColumn } from "../engine/json-columns.ts";
import { param, UNASKED } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { servedBy } from "../usage/generations.ts";
import { type Entry, entryOf, toCounted } from "../usage/sums.ts";
import { prepareTally } from "../usage/tally.ts";
import type { Ended, Ending } from "./money.ts";
import { preparePay, type Sum } from "./pay-costs.ts";

/** The end of a reservation; `cost` 0 gives the whole hold back. */
export type End = Ending & { cost: number };

/** An end's changes of the account and the key's windows: the cost, and the hold to free. */
export type Side = Pick<
  Tables["generations"],
  "account_id" | "key_id" | "held" | "daily" | "weekly" | "monthly"
> & { cost: number };

/** The result of one end, its changes, and the entries that it adds to or subtracts from its hour's sums. */
export type Finished = { ended: Ended; side?: Side; entries?: readonly Entry[]; at?: number };

/** The columns that an end writes. A null `price` or `route` leaves the stored one unchanged. */
export type EndValues = ReturnType<typeof toEndValues>;

export const REFUSED: Finished = { ended: { outcome: "refused" } };

export const toEndValues = ({ id, cost, status, usage, durationMs, price, route }: End) => ({
  ...{ id, cost, status },
  usage: toColumn(usage),
  counts: toCounted(usage),
  duration: durationMs ?? null,
  price: toColumn(price),
  route: toColumn(route),
  entry: entryOf(route),
});

/** The columns that group an ended generation in the sums. */
type Counted = Pick<
  Tables["generations"],
  "account_id" | "key_id" | "model" | "modality" | "created_at" | "tags" | "surface"
> & { entry: string | null };

/** An end as an entry of the sums. */
export const toEntry = (
  row: Counted,
  { status, duration, cost, counts }: Pick<EndValues, "status" | "duration" | "cost" | "counts">,
): Entry => ({
  ...{ account: row.account_id, key: row.key_id, model: row.model, modality: row.modality },
  ...{ at: row.created_at, status, duration, cost, counts },
  ...{ tags: row.tags, surface: row.surface, entry: row.entry },
});

/** The columns of the record that an end writes. */
export const ENDED = sql`status = ${param("status")}, usage = ${param("usage")}, cost = ${param("cost")},
  duration_ms = ${param("duration")}, price = COALESCE(${param("price")}, price),
  route = COALESCE(${param("route")}, route)`;

interface EndOptions {
  alerts: Alerts;
  /** Judges an end of a generation that is not pending. Default: such an end is refused. */
  otherwise?: (values: EndValues) => Work<Finished>;
  /** Recovery writes the ends: their processes have died. */
  isRecovery?: true;
}

type EndedGeneration = Side & Counted & { id: string };

const END_COLUMNS: readonly Column[] = [
  ...(["id", "status", "usage", "price", "route"] as const).map((name) => [name, name, "TEXT"] as const),
  ["cost", "cost", "BIGINT"],
  ["duration_ms", "duration", "BIGINT"],
];
const CHARGED: readonly Column[] = [
  ...(["id", "account_id"] as const).map((name) => [name, name, "TEXT"] as const),
  ...(["cost", "at"] as const).map((name) => [name, name, "BIGINT"] as const),
];

/**
 * The work of ending reservations. Only the first end of a pending generation is written. Costs are summed up, so that
 * each account, and each key and day, is changed once.
 */
export function prepareEnd(
  engine: Engine,
  { alerts, otherwise, isRecovery }: EndOptions,
): (ends: readonly End[]) => Work<Ended[]> {
  const tally = prepareTally(engine);
  const pay = preparePay(engine, alerts);
  const columns = ["account_id", "key_id", "held", "daily", "weekly", "monthly", "model", "modality"];
  const take = prepareEach<EndedGeneration>(
    engine,
    END_COLUMNS,
    (value, from) => sql`UPDATE generations SET status = ${value("status")}, usage = ${value("usage")},
        cost = ${value("cost")}, duration_ms = ${value("duration")},
        price = COALESCE(${value("price")}, generations.price),
        route = COALESCE(${value("route")}, generations.route) ${from}
      WHERE generations.id = ${value("id")} AND generations.status = 'pending'
      RETURNING ${sql.join(["id", ...columns, "created_at", "tags", "surface"].map((name) => sql`${sql.ref(`generations.${name}`)} AS ${sql.ref(name)}`))},
        ${servedBy(engine.dialect)} AS entry`,
  );
  const charge = prepareEach(
    engine,
    CHARGED,
    (value, from) => sql`INSERT INTO transfers
        (id, debit_account, credit_account, amount, kind, generation_id, created_at)
      SELECT 'charge:' || ${value("id")}, ${value("account_id")}, ${sql.lit(REVENUE)}, ${value("cost")}, 'charge',
        ${value("id")}, ${value("at")} ${from}`,
    UNASKED,
  );

  /** Completes an end that was written. */
  function* finish(values: EndValues, row: EndedGeneration): Work<Finished> {
    const { id, cost, duration } = values;
    const at = row.created_at + (duration ?? 0);
    if (isRecovery) yield* alerts.orphaned(id, row, { cost, at });
    const entries = [toEntry(row, values)];
    return { ended: { outcome: "written" }, at, side: { ...row, cost }, entries };
  }

  return function* (ends) {
    const allValues = ends.map(toEndValues);
    // If a generation has several ends here, the first counts, and the others are judged against it.
    const [firsts = []] = toRounds(allValues, ({ id }) => id);
    const taken = new Map((yield* take(firsts)).map((row) => [row.id, row]));
    const sums = new Map<string, Sum>();
    const all: Ended[] = [];
    const counted: Entry[] = [];
    const charges: object[] = [];
    for (const values of allValues) {
      const { id, cost } = values;
      const row = taken.get(id);
      taken.delete(id);
      const finished = row ? yield* finish(values, row) : otherwise ? yield* otherwise(values) : REFUSED;
      const { ended, side, entries, at = 0 } = finished;
      all.push(ended);
      if (entries) counted.push(...entries);
      if (!side) continue;
      if (row && cost > 0) charges.push({ id, cost, account_id: row.account_id, at });
      // The day decides the week and the month too.
      const name = `${side.account_id} ${side.key_id} ${side.daily}`;
      const sum = sums.get(name);
      if (sum) {
        sum.cost += side.cost;
        sum.held += side.held;
        sum.at = Math.max(sum.at, at);
      } else sums.set(name, { ...side, cause: id, at });
    }
    yield* charge(charges);
    yield* pay([...sums.values()]);
    yield* tally(counted);
    return all;
  };
}
