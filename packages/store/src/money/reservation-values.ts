import { type JsonObject, toReadableColumn } from "../engine/json-columns.ts";
import { toAmountFrom } from "../pricing/amount.ts";
import { windowsOf } from "../pricing/cap-windows.ts";
import { entryOf } from "../usage/sums.ts";
import type { Reservation } from "./money.ts";

/** A reservation, with the values of its statements. */
export interface HoldRequest {
  reservation: Reservation;
  values: ReturnType<typeof toValues>;
  /** The amounts that must be left of the balance and of each cap for the reservation to be admitted. */
  balance: number;
  cap: number;
}

/** The amount that must be left so that each reservation still has enough after those before it. */
export function needOfAll(many: readonly HoldRequest[], need: (one: HoldRequest) => number): number {
  let before = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of many) {
    most = Math.max(most, before + need(one));
    before += one.values.amount;
  }
  return most;
}

/** Throws `RangeError` for an invalid amount. */
export function toHoldRequest(reservation: Reservation, owner: string): HoldRequest {
  const { generation, policy, exact = false } = reservation;
  const amount = toAmountFrom(0, reservation.amount, "amount");
  // Work that may cost something needs at least one micro-USD to be left; free work needs nothing.
  const isFree = amount === 0 && isFreeOf(generation.price);
  const least = isFree ? Number.MIN_SAFE_INTEGER : 1;
  const fits = isFree ? least : Math.max(1, amount);
  return {
    reservation,
    values: toValues(reservation, amount, owner),
    balance: policy === "strict" || exact ? fits : least,
    cap: policy === "strict" ? fits : least,
  };
}

const toValues = ({ generation, at, dispatched, durable }: Reservation, amount: number, owner: string) => ({
  ...windowsOf(at),
  id: generation.id,
  account: generation.accountId,
  key: generation.keyId ?? null,
  modality: generation.modality,
  model: generation.model,
  route: toReadableColumn(generation.route),
  price: toReadableColumn(generation.price),
  tags: toReadableColumn(generation.tags),
  user: generation.user ?? null,
  surface: generation.surface ?? null,
  entry: entryOf(generation.route),
  owner: durable ? null : owner,
  amount,
  at,
  dispatched: dispatched ? at : null,
});

/** True if a price has only zeros. Without a price, the cost is unknown. */
const isFreeOf = (price: JsonObject | undefined): boolean =>
  price !== undefined && Object.values(price).every((rate) => rate === 0);
