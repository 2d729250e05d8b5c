import type { Compilable } from "kysely";
import type { Declaration } from "../declarations/declarations.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { toSealed } from "./rows.ts";
import type { Sealed } from "./secret.ts";

/** How stored secrets are encrypted anew. Undefined: no known secret decrypts one, so it stays as it is. */
export interface Resealing {
  /** The key of this id. */
  key(sealed: Sealed, id: string): Sealed | undefined;
  /** The credentials of a declaration. */
  credentials(of: Pick<Declaration, "section" | "name" | "sealed">): string | undefined;
}

/** What was encrypted anew. */
export interface Resealed {
  /** The number of callers' keys. */
  keys: number;
  /** The number of declarations with credentials, earlier ones included. */
  declarations: number;
  /** The number of keys and declarations that no known secret decrypts. */
  lost: number;
}

/** The secrets of others that the database has in encrypted form. */
export interface Seals {
  /**
   * Encrypts all keys anew, and the credentials of all declarations: also of earlier ones, to which an undo leads back.
   * What callers and operators change meanwhile stays as it is then.
   */
  renew(resealing: Resealing): Promise<Resealed>;
}

type SealedKey = Pick<Tables["api_keys"], "id" | "sealed" | "sealed_nonce" | "sealed_version">;
type SealedDeclaration = Pick<Tables["declarations"], "revision" | "section" | "name" | "sealed">;

/** The rows that are renewed in one commit. */
const PAGE = 500;

export function createSeals({ db, read, write }: Pick<Engine, "db" | "read" | "write">): Seals {
  const keys = db
    .selectFrom("api_keys")
    .select(["id", "sealed", "sealed_nonce", "sealed_version"])
    .where("sealed", "is not", null)
    .orderBy("id")
    .limit(PAGE);
  const declarations = db
    .selectFrom("declarations")
    .select(["revision", "section", "name", "sealed"])
    .where("sealed", "is not", null)
    .orderBy("revision")
    .limit(PAGE);

  /** Renews the rows of a table, page by page. Resolves to the number of those that were, and of the others. */
  async function renewAll<Row>(
    pageAfter: (last: Row | undefined) => Promise<Row[]>,
    update: (row: Row) => Compilable | undefined,
  ): Promise<[renewed: number, lost: number]> {
    let [renewed, lost] = [0, 0];
    for (let last: Row | undefined; ; ) {
      const rows = await pageAfter(last);
      // Made once, as the work of a commit may run twice.
      const updates = rows.flatMap((row) => update(row) ?? []);
      await write(function* () {
        for (const one of updates) yield* run(one);
      });
      renewed += updates.length;
      lost += rows.length - updates.length;
      if (rows.length < PAGE) return [renewed, lost];
      last = rows.at(-1);
    }
  }

  return {
    async renew(resealing) {
      const [ofKeys, lostKeys] = await renewAll<SealedKey>(
        (last) => read(() => run(keys.where("id", ">", last?.id ?? ""))),
        (row) => {
          const made = resealing.key(toSealed(row)!, row.id);
          if (!made) return undefined;
          const { ciphertext: sealed, nonce: sealed_nonce, version: sealed_version } = made;
          return db
            .updateTable("api_keys")
            .set({ sealed, sealed_nonce, sealed_version })
            .where("id", "=", row.id)
            .where("sealed", "=", row.sealed);
        },
      );
      const [ofDeclarations, lostOthers] = await renewAll<SealedDeclaration>(
        (last) => read(() => run(declarations.where("revision", ">", last?.revision ?? 0))),
        ({ revision, section, name, sealed: stored }) => {
          const sealed = resealing.credentials({ section, name, sealed: stored! });
          return sealed === undefined
            ? undefined
            : db.updateTable("declarations").set({ sealed }).where("revision", "=", revision);
        },
      );
      return { keys: ofKeys, declarations: ofDeclarations, lost: lostKeys + lostOthers };
    },
  };
}
