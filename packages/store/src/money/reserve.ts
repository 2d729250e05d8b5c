import { sql } from "kysely";
import { toAmountFrom } from "../amount.ts";
import { CAPS, toCaps } from "../caps.ts";
import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import { type JsonObject, toColumn } from "../json.ts";
import { windowEnd, windowsOf } from "../windows.ts";
import type { Money, Reservation, Reserved } from "./money.ts";

/** A hold that a power cut takes back was never acted on: what is charged waits for the disk, and for this with it. */
export function createReserve(engine: Engine, owner: string): Pick<Money, "reserve"> {
  const reserve = prepareReserve(engine, owner);
  return {
    reserve(reservation) {
      const work = reserve(reservation);
      return engine.write(work, { soft: true, lane: reservation.generation.accountId });
    },
  };
}

/**
 * The work of reserving, undone where it is refused. Every process takes its locks in one order: the account, then
 * the key's windows. Each condition stands inside the write that depends on it, so it is judged again after a wait
 * for the lock. Throws `RangeError` for an amount that is none.
 */
export function prepareReserve(
  { db }: Engine,
  owner: string,
): (reservation: Reservation) => () => Work<Reserved | Undo<Reserved>> {
  const hold = prepare<{ account: string; amount: number; need: number }>(
    db,
    sql`UPDATE accounts SET held = held + ${param("amount")}
      WHERE id = ${param("account")} AND active = 1 AND balance - held >= ${param("need")} RETURNING id`,
  );

  // A window that begins now has no row to compare with, so the same condition stands on both branches.
  const limit = sql`COALESCE((SELECT CASE key_spend.kind WHEN 'daily' THEN k.daily_limit WHEN 'weekly'
    THEN k.weekly_limit WHEN 'monthly' THEN k.monthly_limit ELSE k.total_limit END
    FROM api_keys AS k WHERE k.id = key_spend.key_id), 9007199254740991)`;
  const openWindow = (cap: (typeof CAPS)[number]) => sql`
    SELECT id, ${sql.lit(cap)}, CAST(${param(cap)} AS TEXT), 0, CAST(${param("amount")} AS BIGINT) FROM api_keys
    WHERE id = ${param("key")} AND account_id = ${param("account")} AND active = 1
      AND COALESCE(${sql.ref(`${cap}_limit`)}, 9007199254740991) >= ${param("need")}`;
  const open = prepare<{ key: string; account: string; amount: number; need: number }, { kind: string }>(
    db,
    sql`INSERT INTO key_spend (key_id, kind, win, spent, held)
      ${sql.join(CAPS.map(openWindow), sql` UNION ALL `)}
      ON CONFLICT (key_id, kind, win) DO UPDATE SET held = key_spend.held + excluded.held
      WHERE key_spend.spent + key_spend.held + ${param("need")} <= ${limit}
      RETURNING kind`,
  );

  const record = prepare<object, { id: string }>(
    db,
    sql`INSERT INTO generations
        (id, account_id, key_id, modality, model, status, request, route, price, created_at, dispatched_at,
          held, daily, weekly, monthly, owner)
      VALUES (${param("id")}, ${param("account")}, ${param("key")}, ${param("modality")}, ${param("model")},
        'pending', ${param("request")}, ${param("route")}, ${param("price")}, ${param("at")},
        ${param("dispatched")}, ${param("amount")}, ${param("daily")}, ${param("weekly")}, ${param("monthly")},
        ${param("owner")})
      ON CONFLICT (id) DO NOTHING RETURNING id`,
  );

  /** A refusal or a collision can be the echo of this very reservation, committed when its answer got lost. */
  const unless = function* (reservation: Reservation, refused: Reserved | undefined): Work<Undo<Reserved>> {
    const { id, accountId } = reservation.generation;
    const stored = yield* first(
      run(db.selectFrom("generations").select(["account_id", "key_id", "held"]).where("id", "=", id)),
    );
    if (stored === undefined && refused !== undefined) return new Undo(refused);
    const isSame =
      stored?.account_id === accountId &&
      stored.key_id === (reservation.generation.keyId ?? null) &&
      stored.held === reservation.amount;
    if (!isSame) throw new RangeError(`generation id "${id}" is taken`);
    return new Undo<Reserved>({ ok: true });
  };

  const refuseBalance = function* (reservation: Reservation): Work<Undo<Reserved>> {
    const id = reservation.generation.accountId;
    const account = yield* first(
      run(db.selectFrom("accounts").select(["balance", "held", "active"]).where("id", "=", id)),
    );
    if (account === undefined) throw new RangeError(`there is no account "${id}"`);
    if (account.active === 0) return yield* unless(reservation, { ok: false, reason: "inactive" });
    const available = account.balance - account.held;
    return yield* unless(reservation, { ok: false, reason: "balance", available });
  };

  const refuseCap = function* (
    reservation: Reservation,
    keyId: string,
    opened: readonly string[],
  ): Work<Undo<Reserved>> {
    const { at, generation } = reservation;
    const key = yield* first(run(db.selectFrom("api_keys").selectAll().where("id", "=", keyId)));
    if (key?.account_id !== generation.accountId)
      throw new RangeError(`account "${generation.accountId}" has no key "${keyId}"`);
    if (key.active === 0) return yield* unless(reservation, { ok: false, reason: "inactive" });
    const limits = toCaps(key);
    const [last] = CAPS.filter((cap) => !opened.includes(cap))
      .map((cap) => ({ cap, limit: limits[cap]!, resetsAt: windowEnd(cap, at) }))
      .sort((a, b) => (b.resetsAt ?? Number.MAX_VALUE) - (a.resetsAt ?? Number.MAX_VALUE));
    const { resetsAt, ...refusal } = last!;
    return yield* unless(reservation, {
      ok: false,
      reason: "cap",
      ...refusal,
      ...(resetsAt === undefined ? {} : { resetsAt }),
    });
  };

  return (reservation) => {
    const { generation, at, policy, exact = false } = reservation;
    const amount = toAmountFrom(0, reservation.amount, "amount");
    // "Something is left" is "one more micro-USD fits"; work that may come to a cost needs that as well.
    const isFree = amount === 0 && isFreeOf(generation.price);
    const least = isFree ? Number.MIN_SAFE_INTEGER : 1;
    const fits = isFree ? least : Math.max(1, amount);
    const values = {
      ...windowsOf(at),
      id: generation.id,
      account: generation.accountId,
      key: generation.keyId ?? null,
      modality: generation.modality,
      model: generation.model,
      request: toColumn(generation.request),
      route: toColumn(generation.route),
      price: toColumn(generation.price),
      owner: reservation.durable ? null : owner,
      amount,
      at,
      dispatched: reservation.dispatched ? at : null,
    };
    return function* () {
      const held = yield* hold({ ...values, need: policy === "strict" || exact ? fits : least });
      if (held.length === 0) return yield* refuseBalance(reservation);
      if (generation.keyId !== undefined) {
        const need = policy === "strict" ? fits : least;
        const opened = yield* open({ ...values, key: generation.keyId, need });
        if (opened.length < CAPS.length)
          return yield* refuseCap(
            reservation,
            generation.keyId,
            opened.map(({ kind }) => kind),
          );
      }
      if ((yield* record(values)).length === 0) return yield* unless(reservation, undefined);
      return { ok: true };
    };
  };
}

/** Nothing can come of a price without figures above zero; where no price is named, anything may. */
const isFreeOf = (price: JsonObject | undefined): boolean =>
  price !== undefined && Object.values(price).every((rate) => rate === 0);
