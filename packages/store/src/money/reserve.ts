import { CAPS, toCaps } from "../caps.ts";
import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { prepareAdd } from "../engine/many.ts";
import { first, prepareAbreast, run } from "../engine/statement.ts";
import type { Leases } from "../leases/leases.ts";
import type { Need } from "../leases/look.ts";
import { BEGUN } from "../leases/rows.ts";
import type { RecordOptions } from "../record-options.ts";
import { windowEnd, windowsOf } from "../windows.ts";
import { type Asked, reach, toAsked } from "./asked.ts";
import { prepareKeep } from "./keep.ts";
import type { Money, Reservation, Reserved } from "./money.ts";
import { prepareTake } from "./take.ts";

/**
 * How often a reservation is judged: as it comes, where credit came back by itself meanwhile, and after each of two
 * recalls, of which the first may have begun before.
 */
const TRIES = 4;

/** A hold that a power cut takes back was never acted on: what is charged waits for the disk, and for this with it. */
export function createReserve(
  engine: Engine,
  leases: Leases,
  owner: string,
  records: RecordOptions,
): Pick<Money, "reserve"> {
  const { one, all } = prepareReserve(engine, records);
  const hold = (item: Asked): Promise<Reserved> => {
    const { account, key, daily } = item.values;
    return engine.write(() => one(item), {
      soft: true,
      account,
      // A day is a part of one week and of one month.
      batch: { key: `${account} ${key} ${daily}`, item, all },
    });
  };
  return {
    async reserve(reservation) {
      const item = toAsked(reservation, owner, records);
      if (!reservation.durable && leases.draw(item)) return { ok: true };
      const { account } = item.values;
      return untilIdle(
        leases,
        account,
        () => hold(item),
        (refused) => needOf(item, refused),
      );
    },
  };
}

/** What would have had to be left for a reservation that was refused. */
export function needOf({ values, balance, cap }: Asked, refused: { reason: string }): Need | undefined {
  const { reason, ...by } = refused as Exclude<Reserved, { ok: true }>;
  if (reason === "balance") return { amount: balance };
  if (!("cap" in by) || values.key === null) return undefined;
  return { amount: cap, cap: { key: values.key, cap: by.cap, window: windowsOf(values.at)[by.cap] } };
}

/** What is refused is judged again when credit that lay idle in leases was given back, and could cover the need. */
export async function untilIdle<R extends { ok: true } | { ok: false; reason: string }>(
  leases: Pick<Leases, "recall" | "givenBack">,
  account: string | undefined,
  judge: () => Promise<R>,
  need?: (refused: Extract<R, { ok: false }>) => Need | undefined,
): Promise<R> {
  for (let tried = 1; ; tried++) {
    const before = leases.givenBack();
    const judged = await judge();
    if (judged.ok || account === undefined || tried === TRIES || !/^(balance|cap)$/.test(judged.reason))
      return judged;
    await leases.recall(account, need?.(judged as Extract<R, { ok: false }>), tried === 1);
    if (leases.givenBack() === before) return judged;
  }
}

/** A generation that the account holds credit for, for it alone. */
const toHeld = (values: Asked["values"]) => ({
  ...values,
  ...{ status: "pending", held: values.amount, lease: null, leased: 0 },
});

/** The reasons why several reservations were not made. */
type Refused = { by: "balance" | "id" } | { by: "cap"; opened: readonly string[] };

/**
 * The work of reserving, undone where it is refused: `one`, or `all` of one key and day as one. Every process takes
 * its locks in one order: the account, then the key's windows. Each condition stands inside the write that depends
 * on it, so it is judged again after a wait for the lock.
 */
export function prepareReserve(
  engine: Engine,
  records: RecordOptions,
): {
  one(asked: Asked): Work<Reserved | Undo<Reserved>>;
  all(asked: readonly Asked[]): Work<Reserved[] | Undo<undefined>>;
} {
  const { db } = engine;
  const abreast = prepareAbreast(engine);
  const { hold, open } = prepareTake(db);
  const record = prepareAdd(engine, "generations", BEGUN);
  const keep = prepareKeep(engine, records);

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

  /** Takes the holds of several as one: each sees what those before it hold. */
  const take = function* (many: readonly Asked[]): Work<Refused | undefined> {
    const [{ values }] = many as [Asked];
    const amount = many.reduce((sum, one) => sum + one.values.amount, 0);
    if (!Number.isSafeInteger(amount)) return { by: "balance" };
    const bytes = many.reduce((sum, one) => sum + one.values.bytes, 0);
    let opened: readonly string[] = [];
    const openAll = function* (): Work<true | undefined> {
      const { key } = values;
      if (key === null) return true;
      const windows = yield* open({ ...values, key, amount, need: reach(many, ({ cap }) => cap) });
      opened = windows.map(({ kind }) => kind);
      return opened.length === CAPS.length || undefined;
    };
    const [held, isOpen] = yield* abreast(
      first(hold({ ...values, amount, bytes, need: reach(many, ({ balance }) => balance) })),
      openAll(),
    );
    if (!held) return { by: "balance" };
    if (!isOpen) return { by: "cap", opened };
    const texts = many.map((one) => one.values).filter(({ request }) => request !== null);
    const [recorded] = yield* abreast(
      record(many.map((one) => toHeld(one.values))),
      keep(texts, held.kept - bytes),
    );
    return recorded?.size === many.length ? undefined : { by: "id" };
  };

  return {
    *one(asked) {
      const { reservation } = asked;
      const refused = yield* take([asked]);
      switch (refused?.by) {
        case undefined:
          return { ok: true };
        case "balance":
          return yield* refuseBalance(reservation);
        case "cap":
          return yield* refuseCap(reservation, reservation.generation.keyId as string, refused.opened);
        case "id":
          return yield* unless(reservation, undefined);
      }
    },
    *all(asked) {
      return (yield* take(asked)) ? new Undo(undefined) : asked.map(() => ({ ok: true }) as const);
    },
  };
}
