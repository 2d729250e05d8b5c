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

/** A counted request of a key. */
export interface RatedRequest {
  /** The key whose limits count it. */
  keyId: string;
  /** A unique id of the request. */
  id: string;
  /** When it begins or ends, in ms. */
  at: number;
}

/** Counts the use of keys over all processes. To be called only for keys that have rate limits. */
export interface KeyRates {
  /** Admits and counts a request, or returns the limit that refuses it. */
  enter(request: RatedRequest, rates: Rates): Promise<Entered>;
  /** Reserves the tokens that an admitted request may use. */
  reserve(request: RatedRequest & { tokens: number }, rates: Rates): Promise<Entered>;
  /** Ends an admitted request with the tokens that it used. A repeated call does nothing. */
  leave(request: RatedRequest & { tokens: number }): Promise<void>;
}

export function createKeyRates(
  engine: Engine,
  { owner, silentMs }: { owner: string; silentMs: number },
): KeyRates {
  const { db } = engine;
  // A write even if it changes nothing: it locks the key's row, so that processes count in turn.
  const take = prepare<{ key: string }, { state: string }>(
    db,
    sql`INSERT INTO key_use (key_id, state) VALUES (${param("key")}, ${JSON.stringify(nothingUsed)})
      ON CONFLICT (key_id) DO UPDATE SET state = key_use.state RETURNING state`,
  );
  const put = prepare<{ key: string; state: string }>(
    db,
    sql`UPDATE key_use SET state = ${param("state")} WHERE key_id = ${param("key")}`,
  );

  /** Removes the requests of dead processes. */
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

  /** Applies a step to a key's use. A retry after a lost answer may count a request twice. */
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
      await stepped(request, (use) => ({
        use: leaveUse(use, request),
        entered: { ok: true, remaining: {} },
      }));
    },
  };
}
