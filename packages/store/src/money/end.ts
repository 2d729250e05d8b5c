import type { Engine, Work } from "../engine/engine.ts";
import { toReadableColumn } from "../engine/json-columns.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Windows } from "../pricing/cap-windows.ts";
import type { CountedValues, WrittenValues } from "../usage/generation-columns.ts";
import { type Counted, type Entry, entryOf, toCounted } from "../usage/sums.ts";
import { prepareTally } from "../usage/tally.ts";
import type { Ended, Ending } from "./money.ts";
import { preparePay, type Sum } from "./pay-costs.ts";
import {
  type ChargeMovement,
  type EndedGeneration,
  prepareCharges,
  prepareEnds,
  toCharge,
} from "./settlement.ts";

/** The end of a reservation; `cost` 0 gives the whole hold back. */
export type End = Ending & { cost: number };

/** An end's changes of the account and the key's windows: the cost, and the hold to free. */
export type Side = Pick<CountedValues, "account" | "key" | "held" | "daily" | "weekly" | "monthly"> & {
  cost: number;
};

/** The result of one end, its changes, and the entries that it adds to or subtracts from its hour's sums. */
export type Finished = { ended: Ended; side?: Side; entries?: readonly Entry[]; at?: number };

/** The result of one end, and as what the sums count it if it was written. */
export interface Done {
  ended: Ended;
  entry?: Entry | undefined;
}

/** The values that an end writes, and those by which the sums count it. */
export type EndValues = WrittenValues<"end"> & {
  id: string;
  cost: number;
  counts: Counted;
  entry: string | null;
};

export const REFUSED: Finished = { ended: { outcome: "refused" } };

export const toEndValues = ({ id, cost, status, usage, durationMs, price, route }: End): EndValues => ({
  ...{ id, cost, status },
  usage: toReadableColumn(usage),
  counts: toCounted(usage),
  duration: durationMs ?? null,
  price: toReadableColumn(price),
  route: toReadableColumn(route),
  entry: entryOf(route),
  batch: null,
});

/** What the sums count of a generation, and of its end. */
type CountedGeneration = Omit<CountedValues, keyof Windows | "held"> & { entry: string | null };
type CountedEnd = Pick<WrittenValues<"end">, "status" | "duration" | "cost"> & { counts: Counted };

/** An end as an entry of the sums. */
export function toEntry(generation: CountedGeneration, end: CountedEnd): Entry {
  const { account, key, model, modality, at, tags, surface, entry } = generation;
  const { status, duration, cost, counts } = end;
  return { account, key, model, modality, at, status, duration, cost, counts, tags, surface, entry };
}

interface EndOptions {
  alerts: Alerts;
  /** Judges an end of a generation that is not pending. Default: such an end is refused. */
  otherwise?: (values: EndValues) => Work<Finished>;
  /** Recovery writes the ends: their processes have died. */
  isRecovery?: true;
}

/**
 * The work of ending reservations. Only the first end of a pending generation is written. Costs are summed up, so that
 * each account, and each key and day, is changed once.
 */
export function prepareEnd(
  engine: Engine,
  { alerts, otherwise, isRecovery }: EndOptions,
): (ends: readonly End[]) => Work<Done[]> {
  const tally = prepareTally(engine);
  const pay = preparePay(engine, alerts);
  const write = prepareEnds(engine);
  const charge = prepareCharges(engine);

  /** Completes an end that was written. */
  function* finish(values: EndValues, row: EndedGeneration): Work<Finished> {
    const { id, cost, duration } = values;
    const at = row.at + (duration ?? 0);
    if (isRecovery) yield* alerts.orphaned(id, row, { cost, at });
    const entries = [toEntry(row, values)];
    return { ended: { outcome: "written" }, at, side: { ...row, cost }, entries };
  }

  return function* (ends) {
    const allValues = ends.map(toEndValues);
    // If a generation has several ends here, the first counts, and the others are judged against it.
    const firsts = new Map<string, EndValues>();
    for (const values of allValues) if (!firsts.has(values.id)) firsts.set(values.id, values);
    const written = new Map<string, EndedGeneration>();
    for (const row of yield* write([...firsts.values()])) written.set(row.id, row);
    const sums = new Map<string, Sum>();
    const all: Done[] = [];
    const counted: Entry[] = [];
    const charges: ChargeMovement[] = [];
    for (const values of allValues) {
      const { id, cost } = values;
      const row = written.get(id);
      written.delete(id);
      const finished = row ? yield* finish(values, row) : otherwise ? yield* otherwise(values) : REFUSED;
      const { ended, side, entries, at = 0 } = finished;
      all.push({ ended, entry: entries?.at(-1) });
      if (entries) counted.push(...entries);
      if (!side) continue;
      if (row && cost > 0) charges.push(toCharge(`charge:${id}`, { account: row.account, cost, at }, id));
      // The day decides the week and the month too.
      const name = `${side.account} ${side.key} ${side.daily}`;
      const sum = sums.get(name);
      if (sum) {
        sum.cost += side.cost;
        sum.held += side.held;
        sum.at = Math.max(sum.at, at);
      } else sums.set(name, { ...side, cause: id, at });
    }
    yield* charge(charges);
    yield* pay([...sums.values()]);
    yield* tally(counted);
    return all;
  };
}
