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
  /** The first hundred of these: `key` with its id, or a section with a name and its revision. */
  unreadable: string[];
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
/** The most names of secrets that nothing decrypts. */
const NAMED = 100;

export function createSeals({ db, read, write }: Pick<Engine, "db" | "read" | "write">): Seals {
  const sealedKeys = db
    .selectFrom("api_keys")
    .select(["id", "sealed", "sealed_nonce", "sealed_version"])
    .where("sealed", "is not", null)
    .orderBy("id")
    .limit(PAGE);
  const sealedDeclarations = db
    .selectFrom("declarations")
    .select(["revision", "section", "name", "sealed"])
    .where("sealed", "is not", null)
    .orderBy("revision")
    .limit(PAGE);

  /** Renews the rows of a table, page by page. Resolves to the number of those that were, and the names of the others. */
  async function renewAll<Row>(
    pageAfter: (last: Row | undefined) => Promise<Row[]>,
    update: (row: Row) => Compilable | undefined,
    nameOf: (row: Row) => string,
  ): Promise<{ renewed: number; lost: string[] }> {
    let renewed = 0;
    const lost: string[] = [];
    for (let last: Row | undefined; ; ) {
      const rows = await pageAfter(last);
      // Made once, as the work of a commit may run twice.
      const updates = rows.flatMap((row) => {
        const one = update(row);
        if (!one) lost.push(nameOf(row));
        return one ?? [];
      });
      await write(function* () {
        for (const one of updates) yield* run(one);
      });
      renewed += updates.length;
      if (rows.length < PAGE) return { renewed, lost };
      last = rows.at(-1);
    }
  }

  return {
    async renew(resealing) {
      const ofKeys = await renewAll<SealedKey>(
        (last) => read(() => run(sealedKeys.where("id", ">", last?.id ?? ""))),
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
        ({ id }) => `key ${id}`,
      );
      const ofDeclarations = await renewAll<SealedDeclaration>(
        (last) => read(() => run(sealedDeclarations.where("revision", ">", last?.revision ?? 0))),
        ({ revision, section, name, sealed: stored }) => {
          const sealed = resealing.credentials({ section, name, sealed: stored! });
          return sealed === undefined
            ? undefined
            : db.updateTable("declarations").set({ sealed }).where("revision", "=", revision);
        },
        ({ section, name, revision }) => `${section} ${name}, revision ${revision}`,
      );
      const lost = [...ofKeys.lost, ...ofDeclarations.lost];
      const [keys, declarations] = [ofKeys.renewed, ofDeclarations.renewed];
      return { keys, declarations, lost: lost.length, unreadable: lost.slice(0, NAMED) };
    },
  };
}
