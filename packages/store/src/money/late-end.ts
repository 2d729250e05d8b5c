import { sql } from "kysely";
import { REVENUE } from "../accounts/accounts.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { type Entry, entryOf, toCounted } from "../usage/sums.ts";
import { ENDED, type EndValues, type Finished, REFUSED, toEntry } from "./end.ts";

const COLUMNS = [
  ...([
    "id",
    "account_id",
    "key_id",
    "model",
    "modality",
    "daily",
    "weekly",
    "monthly",
    "created_at",
    "tags",
    "surface",
  ] as const),
  ...(["status", "usage", "cost", "duration_ms", "price", "route"] as const),
];
type Row = Pick<Tables["generations"], (typeof COLUMNS)[number]>;

/**
 * The work of judging an end of a generation that is not pending. If recovery ended it because its process seemed dead,
 * the process's own end is more exact: it replaces recovery's, and the difference goes to the ledger. A refund makes an
 * end final, because it was granted for that end.
 */
export function prepareLate({ db, dialect }: Engine): (values: EndValues) => Work<Finished> {
  const stored = prepare<{ id: string }, Row>(
    db,
    db
      .selectFrom("generations")
      .select(COLUMNS)
      .where("id", "=", param("id"))
      .modifyEnd(dialect.locks.exclusive),
  );
  const replace = prepare<object>(db, sql`UPDATE generations SET ${ENDED} WHERE id = ${param("id")}`);

  /** Adjusts the generation's charge to its new cost by one movement: a charge, or a correction of it. */
  function* move({ id, cost, duration }: EndValues, row: Row): Work<void> {
    const before = row.cost ?? 0;
    if (cost === before) return;
    const kind = before === 0 ? "charge" : "correction";
    const [debit, credit] = cost > before ? [row.account_id, REVENUE] : [REVENUE, row.account_id];
    yield* run(
      db.insertInto("transfers").values({
        id: `${kind}:${id}`,
        debit_account: debit,
        credit_account: credit,
        amount: Math.abs(cost - before),
        kind,
        generation_id: id,
        created_at: row.created_at + (duration ?? 0),
      }),
    );
  }

  return function* (values) {
    const row = yield* first(stored(values));
    if (row === undefined) return REFUSED;
    if (isSame(row, values)) return { ended: { outcome: "repeated" } };
    if (row.status !== "failed" || fromColumn<JsonObject>(row.usage)?.recovered !== true) return REFUSED;
    const refund = db.selectFrom("transfers").select("id").where("id", "=", `refund:${row.id}`);
    if (yield* first(run(refund))) return REFUSED;
    yield* move(values, row);
    yield* replace(values);
    const recoveredAt = row.created_at + (row.duration_ms ?? 0);
    // Recovery has already freed the hold.
    const side = { ...row, held: 0, cost: values.cost - (row.cost ?? 0) };
    const entry = entryOf(fromColumn(row.route));
    const after = toEntry({ ...row, entry: values.route === null ? entry : values.entry }, values);
    const before: Entry = {
      ...{ ...after, entry, status: row.status, duration: row.duration_ms, cost: row.cost },
      counts: toCounted(fromColumn<JsonObject>(row.usage)),
      isTaken: true,
    };
    const at = row.created_at + (values.duration ?? 0);
    return { ended: { outcome: "late", recoveredAt }, side, entries: [before, after], at };
  };
}

/** True if this very end is stored already: an earlier call wrote it, and its answer was lost. */
const isSame = (row: Row, { status, cost, usage, duration, price, route }: EndValues): boolean =>
  row.status === status &&
  row.cost === cost &&
  row.usage === usage &&
  row.duration_ms === duration &&
  (price ?? row.price) === row.price &&
  (route ?? row.route) === row.route;
