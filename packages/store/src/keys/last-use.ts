import { sql } from "kysely";
import { integers, prepareEach, texts } from "../engine/bulk-statements.ts";
import { createDeferredWrite } from "../engine/deferred-write.ts";
import type { Engine } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import type { StoreLog } from "../engine/log.ts";
import { run } from "../engine/statement.ts";

/** The last request of a key. */
export interface LastUse {
  /** When it came, in ms. */
  at: number;
  /** Where it came from, if that is known. */
  address?: string;
}

/** When each key was last used, and from which address. */
export interface KeyUses {
  /** Notes a request of a key. It is written soon, with others; a crash may lose those of the last moments. */
  note(keyId: string, use: LastUse): void;
  /** The last uses of these keys; those that were never used have none. */
  of(keyIds: readonly string[]): Promise<ReadonlyMap<string, LastUse>>;
  /** Writes all that is gathered, for the last time. */
  close(): Promise<void>;
}

/** The time for which uses are gathered, in ms. */
const GATHER_MS = 2_000;
/** The keys of one commit. */
const STEP = 256;

export function createKeyUses(engine: Engine, { log }: { log: StoreLog | undefined }): KeyUses {
  const { db, dialect } = engine;
  /** The last use of each key that is to be written. */
  let waiting = new Map<string, LastUse>();
  let isFailing = false;
  const put = prepareEach(
    engine,
    [...texts("key", "address"), ...integers("at")],
    (value, from) => sql`INSERT INTO key_last_use (key_id, used_at, address)
      SELECT ${value("key")}, ${value("at")}, ${value("address")} ${from} WHERE 1 = 1
      ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at, address = excluded.address
      WHERE excluded.used_at > key_last_use.used_at`,
  );

  const note: KeyUses["note"] = (keyId, use) => {
    const before = waiting.get(keyId);
    if (!before || before.at <= use.at) waiting.set(keyId, use);
    deferred.soon();
  };
  const deferred = createDeferredWrite(GATHER_MS, async () => {
    const gathered = waiting;
    waiting = new Map();
    // Every process locks the rows in this order.
    const rows = Array.from(gathered, ([key, { at, address = null }]) => ({ key, at, address })).sort(
      (a, b) => (a.key < b.key ? -1 : 1),
    );
    try {
      for (let at = 0; at < rows.length; at += STEP)
        await engine.write(() => put(rows.slice(at, at + STEP)), { separate: true });
      isFailing = false;
      return true;
    } catch (error) {
      if (!isFailing) log?.warn(errorFields(error), "last uses of keys not written");
      isFailing = true;
      for (const [key, use] of gathered) note(key, use);
      return false;
    }
  });

  return {
    note,
    async of(keyIds) {
      const rows = await engine.report(() =>
        run(db.selectFrom("key_last_use").selectAll().where(dialect.isOneOf("key_id", keyIds))),
      );
      const uses = new Map<string, LastUse>(
        rows.map(({ key_id, used_at: at, address }) => [
          key_id,
          { at, ...(address !== null && { address }) },
        ]),
      );
      // Those of other processes are a moment late.
      for (const key of keyIds) {
        const use = waiting.get(key);
        if (use && use.at >= (uses.get(key)?.at ?? 0)) uses.set(key, use);
      }
      return uses;
    },
    close: deferred.close,
  };
}
