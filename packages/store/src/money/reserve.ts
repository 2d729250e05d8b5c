import { type Engine, Undo, type Work } from "../engine/engine.ts";
import { first, run } from "../engine/statement.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import type { Leases } from "../leases/leases.ts";
import type { Need } from "../leases/read-leases.ts";
import { windowEnd, windowsOf } from "../pricing/cap-windows.ts";
import { CAPS, toCaps } from "../pricing/caps.ts";
import type { Contents } from "../requests/contents.ts";
import { dayKeyOf, prepareHold } from "./hold.ts";
import type { InDoubtHolds } from "./in-doubt-holds.ts";
import type { Money, Reservation, Reserved } from "./money.ts";
import { type HoldRequest, toHoldRequest } from "./reservation-values.ts";

/**
 * The most tries of a reservation: the first, one after credit came back by itself, and one after each of two recalls,
 * because the first recall may have begun before the refusal.
 */
const TRIES = 4;

/** Holds do not wait for the disk: a power cut that loses one loses no charge, for charges wait for the disk. */
export function createReserve(
  engine: Engine,
  leases: Leases,
  owner: string,
  contents: Pick<Contents, "keep">,
  inDoubt: Pick<InDoubtHolds, "add">,
): Pick<Money, "reserve"> {
  const { one, all } = prepareReserve(engine);
  // If each hold has a statement anyway, batches are kept small, because a refusal undoes its whole batch.
  const keyOf = engine.dialect.supportsArrays ? () => "hold" : dayKeyOf;
  return {
    reserve(reservation) {
      const item = toHoldRequest(reservation, owner);
      if (!reservation.durable && leases.draw(item)) {
        contents.keep(reservation);
        return { ok: true };
      }
      const { account } = item.values;
      const batch = { key: keyOf(item), item, all, isAcross: true } as const;
      return retryAfterRecall(
        leases,
        account,
        () => engine.write(() => one(item), { soft: true, account, batch }),
        (refused) => needOf(item, refused),
      ).then(
        (reserved) => {
          if (reserved.ok) contents.keep(reservation);
          return reserved;
        },
        (error: unknown) => {
          if (error instanceof StoreUnavailable) inDoubt.add(reservation);
          throw error;
        },
      );
    },
  };
}

/** The amount that a refused reservation needed to be left. */
export function needOf({ values, balance, cap }: HoldRequest, refused: { reason: string }): Need | undefined {
  const { reason, ...by } = refused as Exclude<Reserved, { ok: true }>;
  if (reason === "balance") return { amount: balance };
  if (!("cap" in by) || values.key === null) return undefined;
  return { amount: cap, cap: { key: values.key, cap: by.cap, window: windowsOf(values.at)[by.cap] } };
}

/** Tries a refused hold again after idle credit was given back from leases, if that could cover the need. */
export async function retryAfterRecall<R extends { ok: true } | { ok: false; reason: string }>(
  leases: Pick<Leases, "recall" | "givenBack">,
  account: string | undefined,
  judge: () => Promise<R>,
  need?: (refused: Extract<R, { ok: false }>) => Need | undefined,
): Promise<R> {
  for (let tried = 1; ; tried++) {
    const before = leases.givenBack.times;
    const judged = await judge();
    if (judged.ok || account === undefined || tried === TRIES || !/^(balance|cap)$/.test(judged.reason))
      return judged;
    await leases.recall(account, need?.(judged as Extract<R, { ok: false }>), tried === 1);
    if (leases.givenBack.times === before) return judged;
  }
}

/** The work of reserving `one`, or `all` of several at once; undone if it is refused. */
export function prepareReserve(engine: Engine): {
  one(request: HoldRequest): Work<Reserved | Undo<Reserved>>;
  all(requests: readonly HoldRequest[]): Work<Reserved[] | Undo<readonly HoldRequest[]>>;
} {
  const { db } = engine;
  const hold = prepareHold(engine);

  /** Answers a refusal, unless this very reservation was committed before and only its answer was lost. */
  const unlessReserved = function* (
    reservation: Reservation,
    refused: Reserved | undefined,
  ): Work<Undo<Reserved>> {
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
    if (account.active === 0) return yield* unlessReserved(reservation, { ok: false, reason: "inactive" });
    const available = account.balance - account.held;
    return yield* unlessReserved(reservation, { ok: false, reason: "balance", available });
  };

  const refuseCap = function* (
    reservation: Reservation,
    keyId: string,
    opened: readonly { kind: string }[],
  ): Work<Undo<Reserved>> {
    const { at, generation } = reservation;
    const key = yield* first(run(db.selectFrom("api_keys").selectAll().where("id", "=", keyId)));
    if (key?.account_id !== generation.accountId)
      throw new RangeError(`account "${generation.accountId}" has no key "${keyId}"`);
    if (key.active === 0) return yield* unlessReserved(reservation, { ok: false, reason: "inactive" });
    const limits = toCaps(key);
    const [last] = CAPS.filter((cap) => !opened.some(({ kind }) => kind === cap))
      .map((cap) => ({ cap, limit: limits[cap]!, resetsAt: windowEnd(cap, at) }))
      .sort((a, b) => (b.resetsAt ?? Number.MAX_VALUE) - (a.resetsAt ?? Number.MAX_VALUE));
    const { resetsAt, ...refusal } = last!;
    return yield* unlessReserved(reservation, {
      ok: false,
      reason: "cap",
      ...refusal,
      ...(resetsAt === undefined ? {} : { resetsAt }),
    });
  };

  return {
    *one(request) {
      const { reservation } = request;
      const refused = yield* hold.one(request);
      switch (refused?.by) {
        case undefined:
          return { ok: true };
        case "balance":
          return yield* refuseBalance(reservation);
        case "cap":
          return yield* refuseCap(reservation, reservation.generation.keyId as string, refused.opened);
        case "id":
          return yield* unlessReserved(reservation, undefined);
      }
    },
    *all(requests) {
      const refused = yield* hold.all(requests);
      return refused ? new Undo(refused) : requests.map(() => ({ ok: true }) as const);
    },
  };
}
