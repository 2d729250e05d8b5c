import { setImmediate } from "node:timers/promises";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import type { Money, Reservation } from "./money.ts";

/**
 * For how long a commit without an answer may still come about: one that waits for a replica does when that is back.
 */
const GIVE_UP_MS = 600_000;
/** The most that are kept; a start gives the others back. */
const MOST = 100_000;
/** The holds that are looked for at a time: SQLite runs nothing else meanwhile. */
const PAGE = 1_000;
/** The wait after the first look at a hold, which doubles with each up to the longest. */
const WAIT_MS = { first: 5_000, longest: 60_000 };

export interface InDoubtHolds {
  /** Notes a hold whose request is refused because the database did not answer. */
  add(reservation: Reservation): void;
  /** Gives back those that were made all the same. */
  giveBack(now: number): Promise<void>;
}

/**
 * Holds that may have been made although their requests were refused: only the answer to the commit was lost. Nothing
 * would end them as long as this process lives.
 */
export function createInDoubtHolds(
  { db, dialect, read }: Engine,
  release: Money["release"],
  now: () => number = Date.now,
): InDoubtHolds {
  const inDoubt = new Map<string, { accountId: string; until: number; next: number; wait: number }>();
  const heldOf = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const held = db
      .selectFrom("generations")
      .select("id")
      .where(dialect.isOneOf("id", ids))
      .where("status", "=", "pending");
    return new Set((await read(() => run(held))).map(({ id }) => id));
  };
  return {
    add({ generation: { id, accountId } }) {
      if (inDoubt.size >= MOST) return;
      const at = now();
      inDoubt.set(id, { accountId, until: at + GIVE_UP_MS, next: at, wait: WAIT_MS.first });
    },
    async giveBack(at) {
      const due = [...inDoubt].filter(([, { next }]) => next <= at);
      for (let from = 0; from < due.length; from += PAGE) {
        const page = due.slice(from, from + PAGE);
        const made = await heldOf(page.map(([id]) => id));
        for (const [id, one] of page) {
          if (made.has(id)) await release({ id, accountId: one.accountId, status: "failed" });
          if (made.has(id) || one.until <= at) inDoubt.delete(id);
          one.next = Math.min(at + one.wait, one.until);
          one.wait = Math.min(2 * one.wait, WAIT_MS.longest);
        }
        await setImmediate();
      }
    },
  };
}
