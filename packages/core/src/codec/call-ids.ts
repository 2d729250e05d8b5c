import { isObject, type Json } from "../json/json.ts";
import type { Spelling } from "./provider-codec.ts";
import type { Traits } from "./traits.ts";

/** The ids of calls that a model takes, on a wire that spells them so. */
export function callIdsOf(ids: Spelling, { callIdLength: length }: Traits): Spelling {
  if (length === undefined) return ids;
  return { pattern: new RegExp(`^[a-zA-Z0-9]{${length}}$`), max: length, exact: length };
}

/** The test of an id with which a body cannot be forwarded to a model; absent if the model takes them all. */
export function foreignIdTest(
  ids: Spelling,
  traits: Traits,
): ((id: Json | undefined) => boolean) | undefined {
  if (traits.callIdLength === undefined && traits.foreignCallIds !== false) return undefined;
  const { pattern, max } = callIdsOf(ids, traits);
  // A long string of a body may be an object in place of a text.
  return (id) => (typeof id === "string" ? id.length > max || !pattern.test(id) : isObject(id));
}
