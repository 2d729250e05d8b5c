import type { Json, JsonObject } from "../json/json.ts";

/** Names of fields, such as `input_reference[image_url]` or `image[]`. */
const NAME = /^([A-Za-z_]\w{0,63})(?:\[([A-Za-z_]\w{0,63})?\])?$/;

/** The fields of a form as a JSON object: `a[b]` is a member of `a`, `a[]` an item of it. */
export class FormFields {
  readonly #fields = new Map<string, Json | Map<string, Json>>();

  /** Adds a field. Returns false, and leaves it out, if its name cannot be read or occurs twice. */
  add(field: string, value: Json): boolean {
    const [, name = "", member] = NAME.exec(field) ?? [];
    const known = this.#fields.get(name);
    const listed = field.endsWith("[]");
    const fits =
      known === undefined ||
      (listed ? Array.isArray(known) : member !== undefined && known instanceof Map && !known.has(member));
    if (name === "" || name === "__proto__" || member === "__proto__" || !fits) return false;
    if (listed) this.#fields.set(name, [...((known as Json[] | undefined) ?? []), value]);
    else if (member !== undefined)
      this.#fields.set(name, new Map([...((known as Map<string, Json>) ?? []), [member, value]]));
    else this.#fields.set(name, value);
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
