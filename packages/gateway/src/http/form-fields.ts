import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { quote, Refusal } from "./refusal.ts";

/** Names of fields, such as `input_reference[image_url]` or `image[]`. */
const NAME = /^([A-Za-z_]\w{0,63})(?:\[([A-Za-z_]\w{0,63})?\])?$/;

/** The fields of a form as a JSON object: `a[b]` is a member of `a`, `a[]` an item of it. */
export class FormFields {
  readonly #fields = new Map<string, Json | Map<string, Json>>();

  /** Adds a field. Throws a 400 for a name that cannot be read, and for one that occurs twice. */
  add(field: string, value: Json): void {
    const [, name = "", member] = NAME.exec(field) ?? [];
    const known = this.#fields.get(name);
    const listed = field.endsWith("[]");
    const fits =
      known === undefined ||
      (listed ? Array.isArray(known) : member !== undefined && known instanceof Map && !known.has(member));
    if (name === "" || name === "__proto__" || member === "__proto__" || !fits)
      throw new Refusal("invalid_form", `The form's field ${quote(field)} cannot be read, or occurs twice.`);
    if (listed) this.#fields.set(name, [...((known as Json[] | undefined) ?? []), value]);
    else if (member !== undefined)
      this.#fields.set(name, new Map([...((known as Map<string, Json>) ?? []), [member, value]]));
    else this.#fields.set(name, value);
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
