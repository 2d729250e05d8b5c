import { sql } from "kysely";
import { REVENUE } from "../accounts.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare, UNASKED } from "../engine/statement.ts";
import { servedBy } from "../generations.ts";
import { toColumn } from "../json.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Tables } from "../tables.ts";
import { type Entry, entryOf, toCounted } from "../usage/sums.ts";
import { prepareTally } from "../usage/tally.ts";
import type { Ended, Ending } from "./money.ts";
import { CAP_LIMIT } from "./take.ts";

/** The end of a reservation; `cost` 0 gives everything back. */
export type End = Ending & { cost: number };

/** The changes of an end: to the account and the key's windows, and by how much. */
export type Side = Pick<
  Tables["generations"],
  "account_id" | "key_id" | "held" | "daily" | "weekly" | "monthly"
> & { cost: number };

/** The result of one end, its changes, and what it adds to the sums of its hour or takes from them. */
export type Finished = { ended: Ended; side?: Side; entries?: readonly Entry[]; at?: number };

/** The columns that an end writes. `price` and `route` stay as they are where they are null. */
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

/** The columns of an ended generation that it is counted by. */
type Counted = Pick<
  Tables["generations"],
  "account_id" | "key_id" | "model" | "modality" | "created_at" | "tags" | "surface"
> & { entry: string | null };

/** An end as it is counted. */
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

/** The windows are those of the reservation: a request over midnight counts where it was admitted. */
export const SPEND = sql`UPDATE key_spend SET spent = spent + ${param("cost")}, held = held - ${param("held")}
  WHERE key_id = ${param("key_id")} AND (
    (kind = 'daily' AND win = ${param("daily")}) OR (kind = 'weekly' AND win = ${param("weekly")}) OR
    (kind = 'monthly' AND win = ${param("monthly")}) OR (kind = 'total' AND win = 'all'))`;

interface EndOptions {
  alerts: Alerts;
  /** Judges an end of a generation that is not pending. Default: such an end is refused. */
  otherwise?: (values: EndValues) => Work<Finished>;
  /** Their processes have died. */
  isRecovery?: true;
}

/** A window of a key after an end, with its limit. */
interface Spent {
  kind: string;
  win: string;
  spent: number;
  cap: number;
}

/** A sum of ends, with the first of them and the time of the last. */
interface Sum extends Side {
  cause: string;
  at: number;
}

/**
 * The work of ending reservations. The first end of a pending generation is written. The costs of one account and key
 * are taken in one step.
 */
export function prepareEnd(
  engine: Engine,
  { alerts, otherwise, isRecovery }: EndOptions,
): (ends: readonly End[]) => Work<Ended[]> {
  const { db, dialect } = engine;
  const tally = prepareTally(engine);
  const take = prepare<object, Side & Counted>(
    db,
    sql`UPDATE generations SET ${ENDED} WHERE id = ${param("id")} AND status = 'pending'
      RETURNING account_id, key_id, held, daily, weekly, monthly, model, modality, created_at, tags, surface,
        ${servedBy(dialect)} AS entry`,
  );
  const charge = prepare<object>(
    db,
    sql`INSERT INTO transfers (id, debit_account, credit_account, amount, kind, generation_id, created_at)
      VALUES (${param("transfer")}, ${param("account_id")}, ${sql.lit(REVENUE)}, ${param("cost")}, 'charge',
        ${param("id")}, ${param("at")})`,
    UNASKED,
  );
  /** Events are about what is left: where none are written, it is not asked for. */
  const prepareSums = (isAsked: boolean) => ({
    pay: prepare<object, { balance: number }>(
      db,
      sql`UPDATE accounts SET balance = balance - ${param("cost")}, held = held - ${param("held")}
        WHERE id = ${param("account_id")} ${isAsked ? sql`RETURNING balance` : sql``}`,
      isAsked ? {} : UNASKED,
    ),
    spend: prepare(
      db,
      sql<Spent>`${SPEND} ${isAsked ? sql`RETURNING kind, win, spent, ${CAP_LIMIT} AS cap` : sql``}`,
      isAsked ? {} : UNASKED,
    ),
  });
  const silent = prepareSums(false);
  const telling = prepareSums(true);

  function* finish(end: End): Work<Finished> {
    const values = toEndValues(end);
    const taken = yield* first(take(values));
    if (taken === undefined) return otherwise ? yield* otherwise(values) : REFUSED;
    const { id, cost, duration } = values;
    const at = taken.created_at + (duration ?? 0);
    if (cost > 0) yield* charge({ id, cost, account_id: taken.account_id, transfer: `charge:${id}`, at });
    if (isRecovery) yield* alerts.orphaned(id, taken, { cost, at });
    return {
      ended: { outcome: "written" },
      at,
      side: { ...taken, cost },
      entries: [toEntry(taken, values)],
    };
  }

  return function* (ends) {
    const sums = new Map<string, Sum>();
    const all: Ended[] = [];
    const counted: Entry[] = [];
    for (const end of ends) {
      const { ended, side, entries, at = 0 } = yield* finish(end);
      all.push(ended);
      if (entries) counted.push(...entries);
      if (!side) continue;
      // A day is a part of one week and of one month.
      const name = `${side.account_id} ${side.key_id} ${side.daily}`;
      const sum = sums.get(name);
      if (sum) {
        sum.cost += side.cost;
        sum.held += side.held;
        sum.at = Math.max(sum.at, at);
      } else sums.set(name, { ...side, cause: end.id, at });
    }
    const { pay, spend } = alerts.isOn() ? telling : silent;
    for (const sum of sums.values()) {
      const paid = yield* first(pay(sum));
      const windows = sum.key_id === null ? [] : yield* spend(sum);
      if (pay === telling.pay && paid) {
        const caps = Object.fromEntries(windows.map(({ kind, cap }) => [kind, cap]));
        yield* alerts.charged(sum, { ...sum, ...paid, windows, caps });
      }
    }
    yield* tally(counted);
    return all;
  };
}
