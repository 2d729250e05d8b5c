import { sql } from "kysely";
import { integers, prepareAdd, prepareSums, texts } from "../engine/bulk-statements.ts";
import { DAY } from "../engine/durations.ts";
import type { Engine, Work } from "../engine/engine.ts";
import type { Month } from "../engine/month.ts";
import { run } from "../engine/statement.ts";
import { prepareCharges, toMergedCharge } from "../money/settlement.ts";
import type { GenerationRow } from "../usage/generation-columns.ts";
import { ArchiveError } from "./error.ts";
import { boundsOf, correctedBy, type MovementRow } from "./scan.ts";

/** The most records of an account that are read in one query; an account with more is read a day at a time. */
const MOST = 5_000;
/** The most records of one step, during which nothing else can write to SQLite. */
const STEP = 250;

type Ref = Pick<GenerationRow, "id" | "batch">;
type Removed = Pick<
  GenerationRow,
  "id" | "account_id" | "key_id" | "daily" | "weekly" | "monthly" | "cost" | "batch"
>;

/** The sums of the removed records of a key and day. */
interface DaySums {
  account: string;
  key: string;
  daily: string;
  weekly: string;
  monthly: string;
  requests: number;
  cost: number;
  charged: number;
}

/** Splits an account's records into steps. Records that were charged by one movement are removed together. */
export function toSteps(refs: readonly Ref[], most = STEP): Ref[][] {
  const groups = Map.groupBy(refs, ({ id, batch }) => batch ?? id);
  const steps: Ref[][] = [];
  let step: Ref[] = [];
  for (const group of groups.values()) {
    if (step.length > 0 && step.length + group.length > most) {
      steps.push(step);
      step = [];
    }
    step.push(...group);
  }
  return step.length > 0 ? [...steps, step] : steps;
}

/**
 * Removes a month's records and their charges in steps. Each step leaves all balances unchanged: it stores the sums of
 * its records, and one charge in place of theirs. A repeated attempt continues with the remaining records.
 */
export function prepareRemoveSteps(engine: Engine, month: Month) {
  const { db, dialect } = engine;
  const { from, to } = boundsOf(month);
  const charge = prepareCharges(engine);
  const keep = prepareAdd(engine, "archived_generations", [
    ...texts("id"),
    ["account_id", "account", "TEXT"],
    ...integers("cost"),
  ]);
  const count = prepareSums(
    engine,
    "archived_days",
    [
      ...texts("month"),
      ["account_id", "account", "TEXT"],
      ["key_id", "key", "TEXT"],
      ...texts("daily", "weekly", "monthly"),
    ],
    integers("requests", "cost", "charged"),
  );

  const refsOf = (account: string, from: number, to: number, most?: number): Promise<Ref[]> => {
    const rows = db
      .selectFrom("generations")
      .select(["id", "batch"])
      .where("account_id", "=", account)
      .where("created_at", ">=", from)
      .where("created_at", "<", to)
      .where("status", "<>", sql.lit("pending"))
      .orderBy("created_at");
    return engine.report(() => run(most === undefined ? rows : rows.limit(most)));
  };
  async function* refsByDay(account: string): AsyncGenerator<Ref[]> {
    const all = await refsOf(account, from, to, MOST);
    if (all.length < MOST) return yield all;
    for (let day = from; day < to; day += DAY) yield await refsOf(account, day, day + DAY);
  }

  function* remove(refs: readonly Ref[]): Work<void> {
    const rows = dialect.isOneOf(
      "id",
      refs.map(({ id }) => id),
    );
    const removed = yield* run<Removed>(
      sql<Removed>`DELETE FROM generations WHERE ${rows} AND status <> 'pending'
        RETURNING id, account_id, key_id, daily, weekly, monthly, cost, batch`.compile(db),
    );
    // An earlier attempt removed them.
    if (removed.length === 0) return;
    const ids = removed.map(({ id }) => id);
    const kinds = ["correction", "refund"].flatMap((kind) => ids.map((id) => `${kind}:${id}`));
    const rare = yield* run(db.selectFrom("transfers").selectAll().where(dialect.isOneOf("id", kinds)));
    const named = [
      ...ids.map((id) => `charge:${id}`),
      ...new Set(removed.flatMap(({ batch }) => batch ?? [])),
    ];
    const charges = yield* run<MovementRow>(
      sql<MovementRow>`DELETE FROM transfers WHERE ${dialect.isOneOf("id", named)} AND kind = 'charge'
        RETURNING *`.compile(db),
    );
    const corrections = new Map(
      rare.flatMap((row) => (row.kind === "correction" ? [[row.generation_id, correctedBy(row)]] : [])),
    );
    const kept = new Set(rare.map((row) => row.generation_id));
    const days = new Map<string, DaySums>();
    for (const row of removed) {
      const { account_id: account, daily, weekly, monthly } = row;
      const [key, cost] = [row.key_id ?? "", row.cost ?? 0];
      const name = `${key}\n${daily}`;
      const place = { account, key, daily, weekly, monthly };
      const sums = days.get(name) ?? { ...place, requests: 0, cost: 0, charged: 0 };
      days.set(name, sums);
      sums.requests += 1;
      sums.cost += cost;
      sums.charged += cost - (corrections.get(row.id) ?? 0);
    }
    const charged = [...days.values()].reduce((sum, day) => sum + day.charged, 0);
    const moved = charges.reduce((sum, { amount }) => sum + amount, 0);
    if (charged !== moved)
      throw new ArchiveError(
        `${month}: records from ${ids[0]} on were charged ${moved} micro-USD, not the ${charged} that they cost`,
      );
    yield* keep(
      removed
        .filter(({ id }) => kept.has(id))
        .map(({ id, account_id: account, cost }) => ({ id, account, cost: cost ?? 0 })),
    );
    yield* count([...days.values()].map((sums) => ({ month, ...sums })));
    const merged = Map.groupBy(charges, ({ created_at }) => created_at - (created_at % DAY));
    yield* charge([...merged.values()].map((some) => toMergedCharge(some)));
  }

  /** Removes the records of an account. */
  return async (account: string): Promise<void> => {
    for await (const refs of refsByDay(account))
      for (const step of toSteps(refs)) await engine.write(() => remove(step), { separate: true });
  };
}
