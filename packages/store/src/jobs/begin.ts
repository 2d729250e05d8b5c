import { sql } from "kysely";
import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { toColumn } from "../engine/json-columns.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Leases } from "../leases/leases.ts";
import type { Reservation, Reserved } from "../money/money.ts";
import { toHoldRequest } from "../money/reservation-values.ts";
import { needOf, prepareReserve, retryAfterRecall } from "../money/reserve.ts";
import type { Contents } from "../requests/contents.ts";
import { type Asset, preparePutAsset } from "./assets.ts";
import type { NewJob } from "./job.ts";
import type { StoredJobs } from "./jobs.ts";

/** Further writes in the commit that creates a job. */
export interface ExtraWrites {
  /** The hold for its cost, and the record of its generation. Absent if nothing is billed. */
  reservation?: Reservation;
  /** The asset that the job will produce or register. */
  asset?: Asset;
  /** The most running jobs of the account: of assets if the job is one, otherwise of all other kinds together. */
  most?: number;
  /** Assets whose files the job needs, and the time until which they are kept, in ms. */
  needs?: { ids: readonly string[]; until: number };
}

/** The result of beginning a job. `busy`: the account already has the most running jobs. */
export type Begun = Reserved | { ok: false; reason: "busy"; most: number };

const COLUMNS = [
  ...["id", "kind", "account_id", "key_id", "model", "entry", "price", "estimate", "ask", "attachment"],
  ...[
    "shown",
    "course",
    "phase",
    "state",
    "orphan",
    "owner",
    "lease_until",
    "attempt",
    "tries",
    "polls",
    "next_at",
  ],
  ...["deadline", "created_at", "updated_at"],
];

/**
 * Begins a job. Running jobs are counted while the account's row is locked, so that two jobs that begin at once count
 * each other.
 */
export function prepareBegin(
  engine: Engine,
  leases: Leases,
  owner: string,
  contents: Pick<Contents, "keep">,
): Pick<StoredJobs, "create"> {
  const { db } = engine;
  const reserve = prepareReserve(engine);
  const putAsset = preparePutAsset(engine);
  const insert = prepare<object>(
    db,
    sql`INSERT INTO jobs (${sql.join(COLUMNS.map((name) => sql.ref(name)))})
      VALUES (${sql.join(COLUMNS.map((name) => sql`${param(name)}`))}) ON CONFLICT (id) DO NOTHING`,
  );
  const lock = prepare<object>(
    db,
    sql`SELECT id FROM accounts WHERE id = ${param("accountId")} ${engine.dialect.locks.shared}`,
  );
  const count = prepare<object, { live: number }>(
    db,
    sql`SELECT count(*) AS live FROM jobs WHERE account_id = ${param("accountId")} AND ended_at IS NULL
      AND (CASE WHEN kind = 'asset' THEN 1 ELSE 0 END) = ${param("isAsset")} AND id <> ${param("id")}`,
  );
  const need = prepare<object>(
    db,
    sql`UPDATE assets SET needed_until = ${param("until")} WHERE id = ${param("id")}
      AND account_id = ${param("accountId")} AND expired_at IS NULL AND needed_until < ${param("until")}`,
  );
  function* isBusy({ id, accountId, kind }: NewJob, most: number): Work<boolean> {
    yield* lock({ accountId });
    const found = yield* first(count({ id, accountId, isAsset: Number(kind === "asset") }));
    return Number(found?.live ?? 0) >= most;
  }

  return {
    async create(job, { reservation, asset, most, needs } = {}) {
      const held = reservation && toHoldRequest({ ...reservation, durable: true }, owner);
      const { accountId } = job;
      // Sorted, so that two jobs that need the same assets cannot deadlock.
      const ids = [...new Set(needs?.ids)].sort();
      const begin = function* (): Work<Begun | Undo<Begun>> {
        if (most !== undefined && (yield* isBusy(job, most))) return { ok: false, reason: "busy", most };
        const reserved: Reserved | Undo<Reserved> = held ? yield* reserve.one(held) : { ok: true };
        if (reserved instanceof Undo) return reserved;
        yield* insert(toRow(job));
        for (const id of ids) yield* need({ id, accountId, until: needs?.until ?? 0 });
        if (asset) yield* putAsset(asset);
        return reserved;
      };
      const begun = await retryAfterRecall(
        leases,
        accountId,
        () => engine.write<Begun>(begin, { account: accountId }),
        (refused) => held && needOf(held, refused),
      );
      if (begun.ok && reservation) contents.keep(reservation);
      return begun;
    },
  };
}

function toRow(job: NewJob): object {
  return {
    id: job.id,
    kind: job.kind,
    account_id: job.accountId,
    key_id: job.keyId ?? null,
    model: job.model,
    entry: job.entry === undefined ? null : JSON.stringify(job.entry),
    price: toColumn(job.price),
    estimate: toColumn(job.estimate),
    ask: toColumn(job.ask),
    attachment: job.attachment ?? null,
    shown: toColumn(job.shown),
    course: toColumn(job.course),
    phase: "unsent",
    state: "queued",
    orphan: 0,
    owner: job.lease?.owner ?? null,
    lease_until: job.lease?.until ?? 0,
    attempt: job.lease ? 1 : 0,
    tries: job.tries ?? 0,
    polls: 0,
    next_at: job.at,
    deadline: job.deadline,
    created_at: job.at,
    updated_at: job.at,
  };
}
