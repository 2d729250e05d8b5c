import type { Json, JsonObject } from "../json/json.ts";

/** Names of fields, such as `input_reference[image_url]`, `image[]` or `image[0]`. */
const NAME = /^([A-Za-z_]\w{0,63})(?:\[([A-Za-z_]\w{0,63}|\d{0,3})\])?$/;
const INDEX = /^\d*$/;

type Field = Json | Map<string, Json>;

/** The fields of a form as a JSON object: `a[b]` is a member of `a`, `a[]` an item of it, and so is `a[0]`. */
export class FormFields {
  readonly #fields = new Map<string, Field>();
  readonly #lists: ReadonlySet<string>;

  /** The items of `lists` may come without brackets, as some clients write them. */
  constructor(lists: ReadonlySet<string> = new Set()) {
    this.#lists = lists;
  }

  /** Adds a field. Returns false, and leaves it out, if its name cannot be read or occurs twice. */
  add(field: string, value: Json): boolean {
    const [, name = "", key] = NAME.exec(field) ?? [];
    if (name === "" || name === "__proto__" || key === "__proto__") return false;
    const place = key ?? (this.#lists.has(name) ? "" : undefined);
    const next = joined(this.#fields.get(name), place, value);
    if (next === undefined) return false;
    this.#fields.set(name, next);
    return true;
  }

  /** All of them. */
  get object(): JsonObject {
    return Object.fromEntries(
      [...this.#fields].map(([name, value]) => [
        name,
        value instanceof Map ? Object.fromEntries(value) : value,
      ]),
    ) as JsonObject;
  }
}

/** A field with one more value, which is a member or an item if it has a key; undefined if there is no place for it. */
function joined(field: Field | undefined, key: string | undefined, value: Json): Field | undefined {
  if (key === undefined) return field === undefined ? value : undefined;
  if (INDEX.test(key)) {
    // Items stay in the order in which they come, whatever their numbers.
    const items = field ?? [];
    return Array.isArray(items) ? [...items, value] : undefined;
  }
  const members = field ?? new Map<string, Json>();
  return members instanceof Map && !members.has(key) ? new Map([...members, [key, value]]) : undefined;
}
