import type { Engine } from "../engine/engine.ts";
import { first, run } from "../engine/statement.ts";
import { windowsOf } from "../pricing/cap-windows.ts";
import { CAPS, type Cap, toCaps } from "../pricing/caps.ts";
import type { CapStatus, Money } from "./money.ts";

export function createStatus(engine: Engine): Pick<Money, "capStatus"> {
  const { db } = engine;
  return {
    capStatus: (keyId, at) =>
      engine.read(function* () {
        const key = yield* first(run(db.selectFrom("api_keys").selectAll().where("id", "=", keyId)));
        if (key === undefined) throw new RangeError(`there is no key "${keyId}"`);
        const windows = windowsOf(at);
        const rows = yield* run(
          db
            .selectFrom("key_spend")
            .select(["kind", "spent"])
            .where("key_id", "=", keyId)
            .where((row) => row.or(CAPS.map((cap) => row.and({ kind: cap, win: windows[cap] })))),
        );
        const spends = new Map(rows.map(({ kind, spent }) => [kind, spent]));
        const status: { [cap in Cap]?: CapStatus } = {};
        const caps = toCaps(key);
        for (const cap of CAPS) {
          const limit = caps[cap];
          if (limit === undefined) continue;
          const spent = spends.get(cap) ?? 0;
          status[cap] = { limit, spent, remaining: Math.max(0, limit - spent) };
        }
        return status;
      }),
  };
}
