import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { hasEnded } from "../engine/owner.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import {
  type Entered,
  enterUse,
  leaveUse,
  nothingUsed,
  type Rates,
  type RecentUse,
  recentAt,
  reserveUse,
} from "./recent-use.ts";

/** A request of a key that is counted. */
export interface RatedRequest {
  keyId: string;
  /** Used for one request only. */
  id: string;
  at: number;
}

/** Counts the use of keys, for all processes together: to be called only for keys that have such limits. */
export interface KeyRates {
  /** Lets a request in and counts it, or says what is in its way. */
  enter(request: RatedRequest, rates: Rates): Promise<Entered>;
  /** Sets aside the tokens that a request may come to. */
  reserve(request: RatedRequest & { tokens: number }, rates: Rates): Promise<Entered>;
  /** Ends a request that was let in, with the tokens that it came to. Done again, it does nothing. */
  leave(request: RatedRequest & { tokens: number }): Promise<void>;
}

export function createKeyRates(
  engine: Engine,
  { owner, silentMs }: { owner: string; silentMs: number },
): KeyRates {
  const { db } = engine;
  // A write even where it changes nothing: other processes that count for the key wait for the end of it.
  const take = prepare<{ key: string }, { state: string }>(
    db,
    sql`INSERT INTO key_use (key_id, state) VALUES (${param("key")}, ${JSON.stringify(nothingUsed)})
      ON CONFLICT (key_id) DO UPDATE SET state = key_use.state RETURNING state`,
  );
  const put = prepare<{ key: string; state: string }>(
    db,
    sql`UPDATE key_use SET state = ${param("state")} WHERE key_id = ${param("key")}`,
  );

  /** Without the requests of processes that are dead. */
  const withoutDead = function* (use: RecentUse, at: number): Work<RecentUse> {
    const others = [...new Set(Object.values(use.running).map(([who]) => who))].filter(
      (who) => who !== owner,
    );
    if (others.length === 0) return use;
    const rows = yield* run(
      db.selectFrom("instances").select(["owner", "heartbeat_at"]).where("owner", "in", others),
    );
    const beats = new Map(rows.map((row) => [row.owner, row.heartbeat_at]));
    const isDead = (who: string): boolean => {
      const beat = beats.get(who);
      return who !== owner && (beat === undefined || (hasEnded(who) ?? beat < at - silentMs));
    };
    return {
      ...use,
      running: Object.fromEntries(Object.entries(use.running).filter(([, [who]]) => !isDead(who))),
    };
  };

  /** A step on what a key did. One whose answer was lost may count a request once more than it came. */
  const stepped = (
    { keyId: key, at }: RatedRequest,
    step: (use: RecentUse) => { use: RecentUse; entered: Entered },
  ): Promise<Entered> =>
    engine.write(
      function* () {
        const row = yield* first(take({ key }));
        const before = recentAt(JSON.parse(row!.state) as RecentUse, at);
        let { use, entered } = step(before);
        if (!entered.ok && entered.by !== "requests") {
          const alive = yield* withoutDead(before, at);
          if (alive !== before) ({ use, entered } = step(alive));
        }
        if (use !== before) yield* put({ key, state: JSON.stringify(use) });
        return entered;
      },
      { soft: true },
    );

  return {
    enter: (request, rates) => stepped(request, (use) => enterUse(use, rates, { ...request, owner })),
    reserve: (request, rates) => stepped(request, (use) => reserveUse(use, rates, { ...request, owner })),
    async leave(request) {
      await stepped(request, (use) => ({ use: leaveUse(use, request), entered: { ok: true, left: {} } }));
    },
  };
}
