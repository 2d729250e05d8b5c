import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import type { Money, Reservation } from "./money.ts";

/** For how long a commit without an answer may still come about: one that waits for a replica does when that is back. */
const PATIENCE_MS = 600_000;
/** The most that are kept; a start gives the others back. */
const MOST = 100_000;

export interface UnsureHolds {
  /** Notes a hold whose request is refused because the database did not answer. */
  add(reservation: Reservation): void;
  /** Gives back those that were made all the same. */
  giveBack(now: number): Promise<void>;
}

/**
 * Holds that may have been made although their requests were refused: only the answer to the commit was lost. Nothing
 * would end them as long as this process lives.
 */
export function createUnsureHolds(
  { db, dialect, read }: Engine,
  release: Money["release"],
  now: () => number = Date.now,
): UnsureHolds {
  const unsure = new Map<string, { accountId: string; until: number }>();
  return {
    add({ generation: { id, accountId } }) {
      if (unsure.size < MOST) unsure.set(id, { accountId, until: now() + PATIENCE_MS });
    },
    async giveBack(at) {
      if (unsure.size === 0) return;
      const ids = [...unsure.keys()];
      const held = db
        .selectFrom("generations")
        .select("id")
        .where(dialect.isOneOf("id", ids))
        .where("status", "=", "pending");
      for (const { id } of await read(() => run(held))) {
        await release({ id, accountId: unsure.get(id)!.accountId, status: "failed" });
        unsure.delete(id);
      }
      for (const id of ids) if (unsure.has(id) && unsure.get(id)!.until < at) unsure.delete(id);
    },
  };
}
