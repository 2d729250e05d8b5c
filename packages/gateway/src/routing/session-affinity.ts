import { createHash } from "node:crypto";
import { holdsSeal, isObject, type Json } from "@manifold-gateway/core/codec";
import type { JsonBody } from "../http/json-body.ts";
import { LargeString, type LazyJson } from "../http/lazy-json.ts";
import { SEAL_LIMIT } from "../http/skeleton.ts";
import type { Served, SessionAffinity } from "../ports/routing.ts";

/** The most conversations whose entries are remembered. */
const ROOM = 20_000;

/** Remembers which entries served the last conversations. */
export function createSessionAffinity(): SessionAffinity {
  const known = new Map<string, Served>();
  return {
    get: (key) => known.get(key),
    set(key, served) {
      known.delete(key);
      known.set(key, served);
      if (known.size > ROOM) known.delete(known.keys().next().value as string);
    },
  };
}

/**
 * Checks whether another entry would lose something of the conversation. `bound` are the names of members that only one
 * entry can use.
 */
export function needsSameEntry(node: LazyJson, bound: ReadonlySet<string>): boolean {
  if (node instanceof LargeString) return false;
  if (typeof node === "string") return node.length < SEAL_LIMIT && holdsSeal(node);
  if (Array.isArray(node)) return node.some((item) => needsSameEntry(item, bound));
  return (
    isObject(node) &&
    Object.keys(node).some((name) => bound.has(name) || needsSameEntry(node[name] as LazyJson, bound))
  );
}

/**
 * The most characters that identify a conversation, from the system text and from the first turn each. A long text
 * counts by its beginning and its end, since agents begin many conversations with the same long text.
 */
const ENOUGH = 8_192;
const OF_ONE = 1_024;

/** The key of the conversation that a request continues: a hash of account, model, system text and first turn. */
export function conversationKey(
  account: string,
  model: string,
  { value, protocols }: Pick<JsonBody, "value" | "protocols">,
): string {
  const bound = protocols.namesOf("bound");
  const hash = createHash("sha256").update(`${account}\n${model}\n`);
  let left = ENOUGH;
  const add = (node: Json | undefined): void => {
    if (left <= 0 || node === undefined || node === null) return;
    if (Array.isArray(node)) for (const item of node) add(item);
    else if (isObject(node)) {
      // Agents move the cache mark to another turn each time, which must not change the key.
      for (const key in node) if (!bound.has(key)) add(node[key]);
    } else {
      const whole = String(node);
      const text =
        whole.length > OF_ONE ? whole.slice(0, OF_ONE / 2) + whole.slice(-OF_ONE / 2) : whole.slice(0, left);
      left -= text.length;
      hash.update(text).update("\n");
    }
  };
  for (const name of protocols.namesOf("system")) add(value[name]);
  left = ENOUGH;
  for (const name of protocols.namesOf("turns")) {
    const list = value[name];
    add(Array.isArray(list) ? list.slice(0, list.findIndex(isTurn) + 1) : list);
  }
  return hash.digest("base64url");
}

/** On wires without a field for the system text, system messages precede the first turn. */
const isTurn = (item: Json): boolean => isObject(item) && item.role !== "system" && item.role !== "developer";
