import { type Counts, costOf, type Price } from "@manifold-gateway/core/pricing";
import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import type { StoreLog } from "../engine/log.ts";
import { hasEnded } from "../engine/owner.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { prepareEndLease } from "../leases/end.ts";
import { type End, prepareEnd } from "./end.ts";
import { createTracedRecovery } from "./lost-calls.ts";
import type { Money, MoneyOptions } from "./money.ts";

/** The silence after which an instance without holds is forgotten, in ms. */
const FORGET_MS = 3_600_000;
const PAGE = 100;

type Pending = Pick<Tables["generations"], "id" | "price" | "checkpoint" | "created_at">;

export function createRecovery(
  engine: Engine,
  { owner: self, silentMs, log, alerts, calls }: Omit<MoneyOptions, "contents" | "latencies">,
): Pick<Money, "recover" | "heartbeat"> {
  const { db } = engine;
  const end = prepareEnd(engine, { alerts, isRecovery: true });
  const beat = prepare<{ owner: string; at: number }>(
    db,
    sql`INSERT INTO instances (owner, started_at, heartbeat_at)
      VALUES (${param("owner")}, ${param("at")}, ${param("at")})
      ON CONFLICT (owner) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`,
  );
  const holds = prepare<{ owner: string }, Pending>(
    db,
    sql`SELECT id, price, checkpoint, created_at FROM generations WHERE status = 'pending' AND owner = ${param("owner")}
      ORDER BY id LIMIT ${sql.lit(PAGE)}`,
  );

  const owners = prepare<object, { owner: string; heartbeat_at: number | null }>(
    db,
    sql`SELECT held.owner, i.heartbeat_at FROM (
        SELECT owner FROM generations WHERE status = 'pending' AND owner IS NOT NULL
        UNION SELECT owner FROM leases) AS held
      LEFT JOIN instances AS i ON i.owner = held.owner`,
  );
  const endLease = prepareEndLease(engine);
  const silent = prepare<{ before: number }, { owner: string }>(
    db,
    sql`SELECT owner FROM instances WHERE heartbeat_at < ${param("before")}
      AND NOT EXISTS (SELECT 1 FROM generations AS g WHERE g.owner = instances.owner AND g.status = 'pending')
      AND NOT EXISTS (SELECT 1 FROM leases AS l WHERE l.owner = instances.owner)`,
  );
  const forget = prepare<{ owner: string }>(db, sql`DELETE FROM instances WHERE owner = ${param("owner")}`);

  const seen = prepare<{ owner: string }, { heartbeat_at: number }>(
    db,
    sql`SELECT heartbeat_at FROM instances WHERE owner = ${param("owner")}`,
  );
  const recoverTraced =
    calls === undefined
      ? async () => 0
      : createTracedRecovery(engine, {
          folder: calls,
          log,
          alerts,
          *stateOf(owner, now) {
            const beatAt = (yield* first(seen({ owner })))?.heartbeat_at ?? null;
            if (owner === self || !isGone(owner, beatAt, now)) return "alive";
            return beatAt === null || hasEnded(owner) ? "dead" : "silent";
          },
        });

  /** The dead owners of holds and leases. */
  const deadOwners = function* (now: number): Work<string[]> {
    return (yield* owners({}))
      .filter(({ owner, heartbeat_at }) => owner !== self && isGone(owner, heartbeat_at, now))
      .map(({ owner }) => owner);
  };
  /** True if an owner is dead. A closed store has no heartbeat row; one on another machine is judged by its silence. */
  const isGone = (owner: string, beatAt: number | null, now: number) =>
    beatAt === null || (hasEnded(owner) ?? beatAt < now - silentMs);

  /** Ends one page of a dead owner's generations. Empty once there are no more. */
  const recoverPage = (owner: string, now: number) =>
    engine.write(function* () {
      // The owner may have written a heartbeat since.
      if (!(yield* deadOwners(now)).includes(owner)) return [];
      const ends = (yield* holds({ owner })).map((row) => toEnd(row, now, log));
      const ended = yield* end(ends);
      return ends.filter((_, i) => ended[i]?.ended.outcome === "written");
    });

  /** Frees a dead owner's leases that no pending generation needs. */
  const freeLeases = async (owner: string, now: number): Promise<void> => {
    const rows = db.selectFrom("leases").select("id").where("owner", "=", owner);
    for (const { id } of await engine.read(() => run(rows)))
      await engine.write(function* () {
        if ((yield* deadOwners(now)).includes(owner)) yield* endLease(id);
      });
  };

  return {
    heartbeat: (at) =>
      engine.write(function* () {
        yield* beat({ owner: self, at });
      }),
    async recover(now) {
      const counts = { settled: 0, released: 0 };
      for (const owner of await engine.read(() => deadOwners(now))) {
        let page: Recovered[];
        do {
          page = await recoverPage(owner, now);
          for (const { isMeasured } of page) counts[isMeasured ? "settled" : "released"]++;
        } while (page.length > 0);
        await freeLeases(owner, now);
      }
      counts.released += await recoverTraced(now);
      await engine.write(function* () {
        // A live process may only have been suspended, or a clock was set: without its row it would count as closed.
        for (const { owner } of yield* silent({ before: now - FORGET_MS }))
          if (hasEnded(owner) !== false) yield* forget({ owner });
      });
      return counts;
    },
  };
}

interface Recovered extends End {
  /** It has a checkpoint that can be charged. */
  isMeasured: boolean;
}

/**
 * The end that recovery writes. Without a checkpoint it costs nothing. The mark `recovered` lets a late settlement
 * replace it.
 */
function toEnd(row: Pending, now: number, log: StoreLog | undefined): Recovered {
  const usage = fromColumn<JsonObject>(row.checkpoint);
  const cost = costSoFar(row, usage, log);
  const isMeasured = cost !== undefined;
  return {
    id: row.id,
    status: "failed",
    isMeasured,
    cost: cost ?? 0,
    usage: { ...(isMeasured && usage), recovered: true },
    durationMs: Math.max(0, now - row.created_at),
  };
}

/** The cost of a checkpoint. Undefined if there is none or it has an error, which must not stop other recoveries. */
function costSoFar(
  { id, price: column }: Pending,
  usage: JsonObject | undefined,
  log: StoreLog | undefined,
): number | undefined {
  const price = fromColumn<Price>(column);
  if (usage === undefined || price === undefined) return undefined;
  try {
    return costOf(usage as Counts, price);
  } catch (error) {
    log?.warn({ generation: id, ...errorFields(error) }, "checkpoint cannot be charged");
    return undefined;
  }
}
