import { CAPS } from "../caps.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { prepareAdd } from "../engine/many.ts";
import { prepareAbreast } from "../engine/statement.ts";
import { BEGUN } from "../leases/rows.ts";
import type { RecordOptions } from "../record-options.ts";
import { type Asked, reach } from "./asked.ts";
import { prepareKeep } from "./keep.ts";
import { type Hold, type Opening, prepareTakeAll } from "./take.ts";

/** A reason why reservations were not made, and those of them that it holds for. */
export type Refused = { inTheWay: readonly Asked[] } & (
  | { by: "balance" | "id" }
  | { by: "cap"; opened: readonly { kind: string }[] }
);

/** The account, key and day: a day is a part of one week and of one month. */
export const placeOf = ({ values: { account, key, daily } }: Asked): string => `${account} ${key} ${daily}`;

/** Several as one: each has to have enough when those before it are admitted. */
function together(many: readonly Asked[], need: (one: Asked) => number): Hold & Asked["values"] {
  const [{ values }] = many as [Asked];
  if (many.length === 1) return { ...values, need: need(many[0]!) };
  let [amount, bytes] = [0, 0];
  for (const one of many) {
    amount += one.values.amount;
    bytes += one.values.bytes;
  }
  return { ...values, amount, bytes, need: reach(many, need) };
}

/** A generation that the account holds credit for, for it alone. */
const toHeld = (values: Asked["values"]) => ({
  ...values,
  ...{ status: "pending", held: values.amount, lease: null, leased: 0 },
});

/** The members of a list by their name, in the order of the first of each. */
const groups = <T>(many: readonly T[], nameOf: (one: T) => string): T[][] =>
  many.length === 1 ? [[many[0]!]] : [...Map.groupBy(many, nameOf).values()];

/** True if all windows of the reservation's key had enough, or it has none. */
const isOpened = ({ values: { key } }: Asked, opened: readonly { key: string }[]): boolean =>
  key === null || opened.filter((one) => one.key === key).length >= CAPS.length;

/**
 * The work of holding credit for generations and of recording them; where it gives a reason against, what it has done
 * is to be undone. Every process takes its locks in one order: accounts, then the windows of keys. Each condition
 * stands inside the write that depends on it, so it is judged again after a wait for the lock.
 */
export function prepareHold(
  engine: Engine,
  records: RecordOptions,
): (many: readonly Asked[]) => Work<Refused | undefined> {
  const abreast = prepareAbreast(engine);
  const { hold, open } = prepareTakeAll(engine);
  const record = prepareAdd(engine, "generations", BEGUN);
  const keep = prepareKeep(engine, records);

  /** Takes the holds of several at once: each sees what those before it hold. */
  return function* (many: readonly Asked[]): Work<Refused | undefined> {
    const holds = groups(many, ({ values }) => values.account).map((own) =>
      together(own, ({ balance }) => balance),
    );
    if (!holds.every(({ amount }) => Number.isSafeInteger(amount))) return { by: "balance", inTheWay: many };
    const openings = groups(
      many.filter(({ values }) => values.key !== null),
      placeOf,
    ).map((own) => together(own, ({ cap }) => cap) as Opening);
    let opened: readonly { key: string; kind: string }[] = [];
    const openAll = function* (): Work<true | undefined> {
      opened = yield* open(openings);
      return opened.length === CAPS.length * openings.length || undefined;
    };
    let enough: ReadonlyMap<string, number> = new Map();
    const holdAll = function* (): Work<true | undefined> {
      enough = new Map((yield* hold(holds)).map(({ account, kept }) => [account, kept]));
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
