import { prepareAdd } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { prepareAbreast } from "../engine/statement.ts";
import { CAPS } from "../pricing/caps.ts";
import type { RecordOptions } from "../requests/record-options.ts";
import { type WrittenValues, writtenBy } from "../usage/generation-columns.ts";
import { prepareKeep } from "./keep-text.ts";
import { type HoldRequest, reach } from "./reservation-values.ts";
import { type Hold, type Opening, prepareTakeAll } from "./take-credit.ts";

/** The reason why a group was refused, and the reservations that caused it. */
export type Refused = { inTheWay: readonly HoldRequest[] } & (
  | { by: "balance" | "id" }
  | { by: "cap"; opened: readonly { kind: string }[] }
);

/** A name for the account, key and day; the day decides the week and the month too. */
export const placeOf = ({ values: { account, key, daily } }: HoldRequest): string =>
  `${account} ${key} ${daily}`;

/** Merges several holds into one, which fits only if each has enough after those before it. */
function together(
  many: readonly HoldRequest[],
  need: (one: HoldRequest) => number,
): Hold & HoldRequest["values"] {
  const [{ values }] = many as [HoldRequest];
  if (many.length === 1) return { ...values, need: need(many[0]!) };
  let [amount, bytes] = [0, 0];
  for (const one of many) {
    amount += one.values.amount;
    bytes += one.values.bytes;
  }
  return { ...values, amount, bytes, need: reach(many, need) };
}

/** The row of a generation that has its own hold. */
const toHeld = (values: HoldRequest["values"]): WrittenValues<"begin"> => ({
  ...values,
  ...{ status: "pending", held: values.amount, lease: null, leased: 0 },
});

/** Groups the members of a list by name, in the order of first appearance. */
const groups = <T>(many: readonly T[], nameOf: (one: T) => string): T[][] =>
  many.length === 1 ? [[many[0]!]] : [...Map.groupBy(many, nameOf).values()];

/** True if all windows of the reservation's key had enough, or it has no key. */
const isOpened = ({ values: { key } }: HoldRequest, opened: readonly { key: string }[]): boolean =>
  key === null || opened.filter((one) => one.key === key).length >= CAPS.length;

/**
 * The work of holding credit for generations and recording them. If it returns a reason, the caller must undo its
 * writes. Every process takes its locks in one order: accounts, then the windows of keys. Each condition is part of
 * the write that depends on it, so it is checked again after a wait for the lock.
 */
export function prepareHold(
  engine: Engine,
  records: RecordOptions,
): (many: readonly HoldRequest[]) => Work<Refused | undefined> {
  const abreast = prepareAbreast(engine);
  const { hold, open } = prepareTakeAll(engine);
  const record = prepareAdd(engine, "generations", writtenBy("begin"));
  const keep = prepareKeep(engine, records);

  /** Takes several holds at once: each counts the holds before it. */
  return function* (many: readonly HoldRequest[]): Work<Refused | undefined> {
    const holds = groups(many, ({ values }) => values.account).map((group) =>
      together(group, ({ balance }) => balance),
    );
    if (!holds.every(({ amount }) => Number.isSafeInteger(amount))) return { by: "balance", inTheWay: many };
    const openings = groups(
      many.filter(({ values }) => values.key !== null),
      placeOf,
    ).map((group) => together(group, ({ cap }) => cap) as Opening);
    let opened: readonly { key: string; kind: string }[] = [];
    const openAll = function* (): Work<true | undefined> {
      opened = yield* open(openings);
      return opened.length === CAPS.length * openings.length || undefined;
    };
    let enough: ReadonlyMap<string, number> = new Map();
    const holdAll = function* (): Work<true | undefined> {
      enough = new Map((yield* hold(holds)).map(({ account, bytes }) => [account, bytes]));
      return enough.size === holds.length || undefined;
    };
    const [held, isOpen] = yield* abreast(holdAll(), openAll());
    if (!held) return { by: "balance", inTheWay: many.filter(({ values }) => !enough.has(values.account)) };
    if (!isOpen) return { by: "cap", opened, inTheWay: many.filter((one) => !isOpened(one, opened)) };
    const bytes = new Map(holds.map((one) => [one.account, one.bytes]));
    const texts = many.map((one) => one.values).filter(({ request }) => request !== null);
    const [recorded] = yield* abreast(
      record(many.map((one) => toHeld(one.values))),
      keep(texts, (account) => enough.get(account)! - bytes.get(account)!),
    );
    if (recorded?.size === many.length) return undefined;
    return { by: "id", inTheWay: many.filter(({ values }) => !recorded?.has(values.id)) };
  };
}
