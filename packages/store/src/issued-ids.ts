import type { Engine } from "./engine/engine.ts";
import { param, prepare, run } from "./engine/statement.ts";

/** To which account the ids were given that providers' answers held. Ids are hashes: the store never sees them. */
export interface IssuedIds {
  /** Remembers ids as given to an account; one that was given before stays with the account that had it first. */
  note(accountId: string, hashes: readonly string[], at: number): Promise<void>;
  /** The accounts that ids were given to; those that no answer held are left out. */
  owners(hashes: readonly string[]): Promise<Map<string, string>>;
  /** Forgets ids given before a time. */
  expire(before: number): Promise<void>;
}

export function createIssuedIds(engine: Engine): IssuedIds {
  const { db } = engine;
  const add = prepare<{ hash: string; account: string; at: number }>(
    db,
    db
      .insertInto("issued_ids")
      .values({ hash: param("hash"), account_id: param("account"), created_at: param<number>("at") })
      .onConflict((on) => on.column("hash").doNothing()),
  );
  return {
    note: (account, hashes, at) =>
      engine.write(
        function* () {
          for (const hash of hashes) yield* add({ hash, account, at });
        },
        { soft: true },
      ),
    owners: (hashes) =>
      engine.read(function* () {
        const rows = yield* run(
          db
            .selectFrom("issued_ids")
            .select(["hash", "account_id"])
            .where("hash", "in", [...hashes]),
        );
        return new Map(rows.map(({ hash, account_id }) => [hash, account_id]));
      }),
    expire: (before) =>
      engine.write(function* () {
        yield* run(db.deleteFrom("issued_ids").where("created_at", "<", before));
      }),
  };
}
