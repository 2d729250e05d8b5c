import { prepareAdd } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, prepareParallel } from "../engine/statement.ts";
import { CAPS } from "../pricing/caps.ts";
import { type WrittenValues, writtenBy } from "../usage/generation-columns.ts";
import { type HoldRequest, needOfAll } from "./reservation-values.ts";
import { type Hold, type Opening, prepareBulkHolds } from "./take-credit.ts";

/** The reason why a reservation was refused; `opened` are the windows of its key that had enough. */
export type Refused = { by: "balance" | "id" } | { by: "cap"; opened: readonly { kind: string }[] };

/** A name for the account, key and day; the day decides the week and the month too. */
export const dayKeyOf = ({ values: { account, key, daily } }: HoldRequest): string =>
  `${account} ${key} ${daily}`;

/** Merges several holds into one, which fits only if each has enough after those before it. */
function mergeHolds(
  many: readonly HoldRequest[],
  need: (one: HoldRequest) => number,
): Hold & HoldRequest["values"] {
  const [{ values }] = many as [HoldRequest];
  let amount = 0;
  for (const one of many) amount += one.values.amount;
  return { ...values, amount, need: needOfAll(many, need) };
}

/** The row of a generation that has its own hold. */
const toHeld = (values: HoldRequest["values"]): WrittenValues<"begin"> => ({
  ...values,
  ...{ status: "pending", held: values.amount, lease: null, leased: 0 },
});

/** Groups the members of a list by name, in the order of first appearance. */
const groups = <T>(many: readonly T[], nameOf: (one: T) => string): T[][] => [
  ...Map.groupBy(many, nameOf).values(),
];

/** True if all windows of the reservation's key had enough, or it has no key. */
const isOpened = ({ values: { key } }: HoldRequest, opened: readonly { key: string }[]): boolean =>
  key === null || opened.filter((one) => one.key === key).length >= CAPS.length;

/**
 * The work of holding credit for a generation and recording it, or for several at once. If it is refused, the caller
 * must undo its writes. Every process takes its locks in one order: accounts, then the windows of keys. Each condition
 * is part of the write that depends on it, so it is checked again after a wait for the lock.
 */
export function prepareHold(engine: Engine): {
  /** Returns the reason of a refusal. */
  one(request: HoldRequest): Work<Refused | undefined>;
  /** Returns the reservations that caused a refusal; an empty list if it cannot name them. */
  all(many: readonly HoldRequest[]): Work<readonly HoldRequest[] | undefined>;
} {
  const parallel = prepareParallel(engine);
  const { hold, open } = prepareBulkHolds(engine);
  const record = prepareAdd(engine, "generations", writtenBy("begin"));

  return {
    *one({ values, balance, cap }) {
      const { id, key } = values;
      const [held, opened = []] = yield* parallel(
        first(hold([{ ...values, need: balance }])),
        open(key === null ? [] : [{ ...values, key, need: cap }]),
      );
      if (!held) return { by: "balance" };
      if (key !== null && opened.length < CAPS.length) return { by: "cap", opened };
      return (yield* record([toHeld(values)])).has(id) ? undefined : { by: "id" };
    },

    /** Each reservation counts the holds before it. */
    *all(many) {
      const holds = groups(many, ({ values }) => values.account).map((group) =>
        mergeHolds(group, ({ balance }) => balance),
      );
      if (!holds.every(({ amount }) => Number.isSafeInteger(amount))) return many;
      const openings = groups(
        many.filter(({ values }) => values.key !== null),
        dayKeyOf,
      ).map((group) => mergeHolds(group, ({ cap }) => cap) as Opening);
      const able = new Set<string>();
      const opened: { key: string }[] = [];
      const holdAll = function* (): Work<true | undefined> {
        for (const { account } of yield* hold(holds)) able.add(account);
        return able.size === holds.length || undefined;
      };
      const openAll = function* (): Work<true | undefined> {
        opened.push(...(yield* open(openings)));
        return opened.length === CAPS.length * openings.length || undefined;
      };
      // A refusal undoes the records too, so a server need not answer before it gets them.
      const [isHeld, isOpen, recorded] = yield* parallel(
        holdAll(),
        openAll(),
        record(many.map((one) => toHeld(one.values))),
      );
      if (!isHeld) return many.filter(({ values }) => !able.has(values.account));
      if (!isOpen || !recorded) return many.filter((one) => !isOpened(one, opened));
      if (recorded.size === many.length) return undefined;
      return many.filter(({ values }) => !recorded.has(values.id));
    },
  };
}
