import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Extra } from "../../ir/index.ts";
import type { JsonObject } from "../../json/json.ts";

export const protocol = "responses";

/** The server's id of an item, and its progress. */
const bookkeeping = ["id", "status"];

/** The members without a word in the IR. Those of `read` stay for this wire, but another one loses nothing by them. */
export function extrasOf(
  record: JsonObject,
  knownFields: ReadonlySet<string>,
  read: readonly string[] = [],
): { extra?: Extra } {
  const { extra } = nonEmptyExtraOf(protocol, record, knownFields);
  const internal = [...bookkeeping, ...read].filter((name) => extra?.fields[name] !== undefined);
  return extra ? { extra: internal.length > 0 ? { ...extra, internal } : extra } : {};
}

/** The members of a node that its wire had and the IR does not model. */
export const wireFieldsOf = (node: { extra?: Extra }): JsonObject =>
  node.extra?.protocol === protocol ? node.extra.fields : {};
