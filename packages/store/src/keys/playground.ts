import type { Engine } from "../engine/engine.ts";
import { first, run } from "../engine/statement.ts";
import type { Caps } from "../pricing/caps.ts";
import { toRow } from "./rows.ts";

const NAME = "playground";

/** The id of the key that counts the spending of an account's playground. */
export const playgroundOf = (accountId: string): string => `${NAME}:${accountId}`;

/** The playground of an account: its spending is counted like a key's. */
export interface Playground {
  /**
   * The id of the account's playground key, created with these caps if it is missing. It has no secret, so no request
   * can authenticate with it, and it is not listed among the account's keys.
   */
  playground(accountId: string, settings: { caps: Caps; at: number }): Promise<string>;
}

export function createPlayground(engine: Engine): Playground {
  const { db } = engine;
  return {
    async playground(accountId, { caps, at }) {
      const id = playgroundOf(accountId);
      const stored = await engine.read(() =>
        first(run(db.selectFrom("api_keys").select("id").where("id", "=", id))),
      );
      if (stored) return id;
      // No secret can have this hash, because hashes are hexadecimal.
      const row = toRow({ id, accountId, name: NAME, prefix: "", hash: id, caps, at });
      await engine.write(() =>
        run(
          db
            .insertInto("api_keys")
            .values(row)
            .onConflict((on) => on.column("id").doNothing()),
        ),
      );
      return id;
    },
  };
}
