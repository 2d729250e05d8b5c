import { sql } from "kysely";
import { REVENUE } from "../accounts/accounts.ts";
import { prepareArchivedMonth } from "../archive/removed.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import {
  type CountedValues,
  ENDED_COLUMNS,
  isWritten,
  type WrittenValues,
} from "../usage/generation-columns.ts";
import { type Entry, entryOf, toCounted } from "../usage/sums.ts";
import { type EndValues, type Finished, REFUSED, toEntry } from "./end.ts";
import { prepareCharges, prepareLateEnds } from "./settlement.ts";

type Row = CountedValues & WrittenValues<"end"> & { id: string };

/**
 * The work of judging an end of a generation that is not pending. If recovery ended it because its process seemed dead,
 * the process's own end is more exact: it replaces recovery's, and the difference goes to the ledger. A refund makes an
 * end final, because it was granted for that end, and so does the archive, which has it.
 */
export function prepareLate(engine: Engine): (values: EndValues) => Work<Finished> {
  const { db, dialect } = engine;
  const charge = prepareCharges(engine);
  const stored = prepare<{ id: string }, Row>(
    db,
    sql`SELECT id, ${ENDED_COLUMNS} FROM generations WHERE id = ${param("id")} ${dialect.locks.exclusive}`,
  );
  const replace = prepareLateEnds(engine);
  const archivedMonth = prepareArchivedMonth(engine);

  /** Adjusts the generation's charge to its new cost by one movement: a charge, or a correction of it. */
  function* move({ id, cost, duration }: EndValues, row: Row): Work<void> {
    const before = row.cost ?? 0;
    if (cost === before) return;
    const kind = before === 0 ? "charge" : "correction";
    const [debit, credit] = cost > before ? [row.account, REVENUE] : [REVENUE, row.account];
    yield* charge([
      {
        id: `${kind}:${id}`,
        debit_account: debit,
        credit_account: credit,
        amount: Math.abs(cost - before),
        kind,
        generation_id: id,
        created_at: row.at + (duration ?? 0),
      },
    ]);
  }

  return function* (values) {
    const row = yield* first(stored(values));
    if (row === undefined) return REFUSED;
    // An earlier call wrote this very end, and its answer was lost.
    if (isWritten("end", row, values)) return { ended: { outcome: "repeated" } };
    if (row.status !== "failed" || fromColumn<JsonObject>(row.usage)?.recovered !== true) return REFUSED;
    const refund = db.selectFrom("transfers").select("id").where("id", "=", `refund:${row.id}`);
    if (yield* first(run(refund))) return REFUSED;
    if (yield* archivedMonth(row.at)) return REFUSED;
    yield* move(values, row);
    yield* replace([values]);
    const recoveredAt = row.at + (row.duration ?? 0);
    // Recovery has already freed the hold.
    const side = { ...row, held: 0, cost: values.cost - (row.cost ?? 0) };
    const entry = entryOf(fromColumn(row.route));
    const after = toEntry({ ...row, entry: values.route === null ? entry : values.entry }, values);
    const counts = toCounted(fromColumn<JsonObject>(row.usage));
    const before: Entry = { ...toEntry({ ...row, entry }, { ...row, counts }), isTaken: true };
    const at = row.at + (values.duration ?? 0);
    return { ended: { outcome: "late", recoveredAt }, side, entries: [before, after], at };
  };
}
