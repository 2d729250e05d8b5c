import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { idsOf as idsBetween, WAIT } from "../engine/id-time.ts";
import { type Month, monthAfter, startOf } from "../engine/month.ts";
import { run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { GenerationRow } from "../usage/generation-columns.ts";
import { ArchiveError } from "./error.ts";
import { type AccountTotals, nothing } from "./totals.ts";

export type MovementRow = Tables["transfers"];

const PAGE = 2_000;

/** A month in ms. */
export const boundsOf = (month: Month): { from: number; to: number } => ({
  from: startOf(month),
  to: startOf(monthAfter(month)),
});

/** The ids that records of a month can have, after a prefix. */
export const idsOf = (month: Month, prefix = "") => idsBetween(boundsOf(month), prefix);

/** A condition: the rows of a month, except pending ones. */
export const isOfMonth = (month: Month) => {
  const ids = idsOf(month);
  const { from, to } = boundsOf(month);
  return sql<boolean>`generations.id >= ${ids.from} AND generations.id < ${ids.to}
    AND generations.created_at >= ${from} AND generations.created_at < ${to} AND generations.status <> 'pending'`;
};

/** Records, in the order of their ids, with their movements. */
export interface Page {
  records: GenerationRow[];
  movements: MovementRow[];
}

/** The sum of the movements that corrected a charge. */
export const correctedBy = ({ amount, credit_account }: MovementRow): number =>
  credit_account === "revenue" ? amount : -amount;

/**
 * Reads the records of a month and all movements of them, and adds them up. Throws `ArchiveError` if a movement does
 * not agree with its record, since an archive must not hide what the audit would find.
 */
export class MonthScan {
  readonly accounts = new Map<string, AccountTotals>();
  charges = 0;
  batches = 0;
  readonly #engine: Engine;
  readonly #month: Month;
  /** The movements of batches, with the amount for which no record was found yet. */
  readonly #open = new Map<string, { unpaid: number; until: number }>();
  /** Corrections and refunds of the month. There are few, so all are kept in memory. */
  readonly #rare = new Map<string, MovementRow[]>();

  constructor(engine: Engine, month: Month) {
    this.#engine = engine;
    this.#month = month;
  }

  async *pages(): AsyncGenerator<Page> {
    const { db, report } = this.#engine;
    for (const kind of ["correction", "refund"]) {
      const { from, to } = idsOf(this.#month, `${kind}:`);
      const found = db.selectFrom("transfers").selectAll().where("id", ">=", from).where("id", "<", to);
      for (const row of await report(() => run(found)))
        this.#rare.set(row.generation_id!, [...(this.#rare.get(row.generation_id!) ?? []), row]);
    }
    const selection = db.selectFrom("generations").selectAll().where(isOfMonth(this.#month)).orderBy("id");
    for (let after = ""; ; ) {
      const page = selection.where("id", ">", after).limit(PAGE);
      const records = await report(() => run(page));
      if (records.length > 0) yield { records, movements: await this.#movementsOf(records) };
      if (records.length < PAGE) break;
      after = records.at(-1)!.id;
      this.#close(records[0]!.created_at);
    }
    this.#close(Number.POSITIVE_INFINITY);
  }

  /** Checks the batches to which no later record can belong. */
  #close(before: number): void {
    for (const [id, { unpaid, until }] of this.#open) {
      if (until >= before) continue;
      this.#assert(id, unpaid, 0, "the costs of a batch are not its charge");
      this.#open.delete(id);
    }
  }

  async #movementsOf(records: readonly GenerationRow[]): Promise<MovementRow[]> {
    const { db, dialect, report } = this.#engine;
    const [first, last] = [records[0]!.id, records.at(-1)!.id];
    const single = db
      .selectFrom("transfers")
      .selectAll()
      .where("id", ">=", `charge:${first}`)
      .where("id", "<=", `charge:${last}`);
    const charges = new Map((await report(() => run(single))).map((row) => [row.generation_id!, row]));
    const fresh = [...new Set(records.flatMap(({ batch }) => batch ?? []))].filter(
      (id) => !this.#open.has(id),
    );
    const shared = db.selectFrom("transfers").selectAll().where(dialect.isOneOf("id", fresh));
    const batches = fresh.length > 0 ? await report(() => run(shared)) : [];
    for (const { id, amount, created_at } of batches)
      this.#open.set(id, { unpaid: amount, until: created_at + WAIT });
    this.batches += batches.length;
    return [...batches, ...records.flatMap((record) => this.#add(record, charges.get(record.id)))];
  }

  /** Adds a record. Returns the movements that belong to it alone. */
  #add(record: GenerationRow, charge: MovementRow | undefined): MovementRow[] {
    const { id, account_id: account, batch } = record;
    const cost = record.cost ?? 0;
    const totals = this.accounts.get(account) ?? { account, ...nothing() };
    this.accounts.set(account, totals);
    const rare = this.#rare.get(id) ?? [];
    let corrected = 0;
    for (const row of rare)
      if (row.kind === "refund") totals.refunded += row.amount;
      else corrected += correctedBy(row);
    const charged = charge?.amount ?? (batch === null ? 0 : cost - corrected);
    this.#assert(id, charged + corrected, cost, "the charge of a record is not its cost");
    const shared = batch === null || charge ? undefined : this.#open.get(batch);
    if (shared) shared.unpaid -= charged;
    else if (batch !== null && charged > 0)
      this.#assert(batch, "no charge", "a charge", "a batch has no charge");
    totals.records += 1;
    totals.cost += cost;
    totals.charged += charged;
    totals.corrected += corrected;
    if (charge) this.charges += 1;
    return charge ? [charge, ...rare] : rare;
  }

  #assert(subject: string, actual: number | string, expected: number | string, invariant: string): void {
    if (actual !== expected)
      throw new ArchiveError(
        `${this.#month} cannot be archived: ${invariant}: ${subject} has ${actual}, not ${expected}; 'audit' shows what is wrong`,
      );
  }
}
