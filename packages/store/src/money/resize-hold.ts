import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { Need } from "../leases/read-leases.ts";
import { CAPS, type Cap } from "../pricing/caps.ts";
import { assignmentsOf, IS_PENDING, type WrittenValues } from "../usage/generation-columns.ts";
import type { Reservation } from "./money.ts";
import { CAP_LIMIT, inWindows } from "./take-credit.ts";

/** The new hold, price and route of a pending generation. */
interface ResizedHold extends Pick<Reservation, "amount" | "policy"> {
  id: string;
  price: string | null;
  route: string | null;
}

/** The reason why a hold is refused. */
interface Shortfall {
  reason: "balance" | "cap";
  need: Need;
}

type Held = Pick<Tables["generations"], "account_id" | "key_id" | "held" | "daily" | "weekly" | "monthly">;

/**
 * The work of changing the hold of a generation whose cost is known beforehand; returns the reason if it is refused.
 * Only the additional amount is checked, since the generation itself was admitted: the balance must cover it, and under
 * the policy `strict` each cap too. Repeating the work changes nothing more.
 */
export function prepareResizeHold({ db, dialect }: Engine): (to: ResizedHold) => Work<Shortfall | undefined> {
  const stored = prepare<{ id: string }, Held>(
    db,
    sql`SELECT account_id, key_id, held, daily, weekly, monthly FROM generations
      WHERE id = ${param("id")} AND ${IS_PENDING} ${dialect.locks.exclusive}`,
  );
  const change = prepare<WrittenValues<"resize"> & { id: string }>(
    db,
    sql`UPDATE generations SET ${assignmentsOf("resize", param)} WHERE id = ${param("id")}`,
  );
  const hold = prepare<object, { id: string }>(
    db,
    sql`UPDATE accounts SET held = held + ${param("more")}
      WHERE id = ${param("account_id")} AND balance - held >= ${param("need")} RETURNING id`,
  );
  const spend = prepare<object, { kind: string }>(
    db,
    sql`UPDATE key_spend SET held = held + ${param("more")}
      WHERE key_id = ${param("key_id")} AND spent + held + ${param("capped")} <= ${CAP_LIMIT} AND ${inWindows(param)}
      RETURNING kind`,
  );
  return function* ({ id, amount, policy, price, route }) {
    const before = yield* first(stored({ id }));
    if (before === undefined) throw new Error(`the generation of job "${id}" is not pending`);
    yield* change({ id, held: amount, price, route });
    const more = amount - before.held;
    if (more === 0) return undefined;
    const none = Number.MIN_SAFE_INTEGER;
    const need = more > 0 ? more : none;
    if ((yield* hold({ ...before, more, need })).length === 0)
      return { reason: "balance", need: { amount: more } };
    const { key_id: key } = before;
    if (key === null) return undefined;
    const capped = policy === "strict" ? need : none;
    const fits = (yield* spend({ ...before, more, capped })).map(({ kind }) => kind);
    const cap: Cap | undefined = CAPS.find((one) => !fits.includes(one));
    if (cap === undefined) return undefined;
    const window = cap === "total" ? "all" : before[cap];
    return { reason: "cap", need: { amount: more, cap: { key, cap, window } } };
  };
}
