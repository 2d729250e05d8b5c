import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { param, prepare, run } from "../engine/statement.ts";

/** The account that received an id in an answer. */
export interface IssuedId {
  accountId: string;
  /** The credential that made the answer, if its provider has several. */
  maker?: string;
}

/** The accounts that received the ids in providers' answers. The store gets only hashes of the ids. */
export interface IssuedIds {
  /** Records that an account received ids. An id stays with the account that received it first. */
  note(accountId: string, hashes: readonly string[], at: number, maker?: string): Promise<void>;
  /** Looks up ids; those that no answer contained are left out. */
  issued(hashes: readonly string[]): Promise<Map<string, IssuedId>>;
  /** Forgets ids received before a time. */
  expire(before: number): Promise<void>;
}

export function createIssuedIds(engine: Engine): IssuedIds {
  const { db } = engine;
  const add = prepare<{ hash: string; account: string; at: number; maker: string | null }>(
    db,
    db
      .insertInto("issued_ids")
      .values({
        hash: param("hash"),
        account_id: param("account"),
        created_at: param<number>("at"),
        maker: param<string | null>("maker"),
      })
      .onConflict((on) => on.column("hash").doNothing()),
  );
  return {
    note: (account, hashes, at, maker = undefined) =>
      engine.write(
        function* () {
          for (const hash of hashes) yield* add({ hash, account, at, maker: maker ?? null });
        },
        { soft: true },
      ),
    issued: (hashes) =>
      engine.read(function* () {
        const rows = yield* run(
          db
            .selectFrom("issued_ids")
            .select(["hash", "account_id", "maker"])
            .where("hash", "in", [...hashes]),
        );
        return new Map(
          rows.map(({ hash, account_id, maker }) => [
            hash,
            { accountId: account_id, ...(maker !== null && { maker }) },
          ]),
        );
      }),
    expire: (before) =>
      deleteRows(engine, { table: "issued_ids", key: ["hash"], where: sql`created_at < ${before}` }),
  };
}
