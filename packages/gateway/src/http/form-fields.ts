import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { FormFields as Fields } from "@manifold-gateway/core/operations";
import { quote, Refusal } from "./refusal.ts";

/** The fields of a form as a JSON object. */
export class FormFields {
  readonly #fields: Fields;

  /** The items of `lists` may come without brackets. */
  constructor(lists?: ReadonlySet<string>) {
    this.#fields = new Fields(lists);
  }

  /** Adds a field. Throws a 400 for a name that cannot be read, and for one that occurs twice. */
  add(field: string, value: Json): void {
    if (this.#fields.add(field, value)) return;
    const [name] = field.split("[", 1);
    const list = `Each item of a list is a field ${quote(`${name}[]`)}.`;
    const text = `The form's field ${quote(field)} cannot be read, or occurs twice. ${list}`;
    throw new Refusal("invalid_form", text);
  }

  /** All of them. */
  get object(): JsonObject {
    return this.#fields.object;
  }
}
