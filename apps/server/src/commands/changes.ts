import type { Listed } from "../catalog/public-list.ts";
import type { Config } from "../config/schema.ts";

/** A difference between the public lists and the configuration. */
export interface Change {
  model: string;
  /** Index of the entry; absent for a field of the model itself. */
  entry?: number;
  field: string;
  from: Value | undefined;
  to: Value;
}
type Value = number | string[];

/** A value as text to compare: the order of a list does not count. */
const comparable = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? value.toSorted() : value) ?? "nothing";

/** The changes that an import would make, in the order of the file. `listed` is called once for each entry. */
export function changesOf(
  config: Config,
  listed: (model: string, entry: number) => Listed | undefined,
): Change[] {
  const changes: Change[] = [];
  const add = (place: Pick<Change, "model" | "entry">, field: string, from: unknown, to?: Value): void => {
    if (to !== undefined && comparable(from) !== comparable(to))
      changes.push({ ...place, field, from: from as Value | undefined, to });
  };
  for (const [model, { entries, input, output }] of Object.entries(config.models)) {
    const found = entries.map((_, entry) => listed(model, entry));
    // The first entry describes the model, as in the lists of models.
    const first = Math.min(...entries.map(({ priority }) => priority));
    const whole = found[entries.findIndex(({ priority }) => priority === first)];
    add({ model }, "input", input, whole?.input);
    add({ model }, "output", output, whole?.output);
    entries.forEach((of, entry) => {
      const place = { model, entry };
      const price: Record<string, unknown> = of.price ?? {};
      for (const [unit, usd] of Object.entries(found[entry]?.price ?? {}))
        add(place, `price.${unit}`, price[unit], usd);
      const text = (of.capabilities?.text ?? {}) as Record<string, unknown>;
      for (const [name, value] of Object.entries(found[entry]?.text ?? {}))
        add(place, `capabilities.text.${name}`, text[name], value);
    });
  }
  return changes;
}

/** The value that a change writes into the file, and its path there. */
export const toValue = ({ model, entry, field, to }: Change): [path: (string | number)[], value: Value] => [
  ["models", model, ...(entry === undefined ? [] : ["entries", entry]), ...field.split(".")],
  to,
];

/** A change in one line. */
export function describeChange({ model, entry, field, from, to }: Change): string {
  const describe = (value: Value | undefined): string =>
    Array.isArray(value) ? value.join(", ") : String(value ?? "none");
  return `${model} ${entry === undefined ? "" : `entries.${entry}.`}${field}: ${describe(from)} → ${describe(to)}`;
}
