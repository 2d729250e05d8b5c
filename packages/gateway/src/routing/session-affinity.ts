import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject, namesOfAny, SEAL_MARK } from "@manifold-gateway/core/codec";
import { LargeString, type LazyJson } from "../http/lazy-json.ts";
import { SEAL_LIMIT } from "../http/skeleton.ts";
import type { Served, SessionAffinity } from "../ports/routing.ts";

/** Remembers the last `room` conversations. */
export function createSessionAffinity(room = 20_000): SessionAffinity {
  const known = new Map<string, Served>();
  return {
    get: (key) => known.get(key),
    set(key, served) {
      known.delete(key);
      known.set(key, served);
      if (known.size > room) known.delete(known.keys().next().value as string);
    },
  };
}

const bound = namesOfAny("bound");

/** Checks whether another entry would lose something of the conversation. */
export function needsSameEntry(node: LazyJson): boolean {
  if (node instanceof LargeString) return false;
  if (typeof node === "string") return node.length < SEAL_LIMIT && node.includes(SEAL_MARK);
  if (Array.isArray(node)) return node.some(needsSameEntry);
  return (
    isObject(node) &&
    Object.keys(node).some((name) => bound.has(name) || needsSameEntry(node[name] as LazyJson))
  );
}

/**
 * The most characters that identify a conversation, from the system text and from the first turn each. A long text
 * counts by its beginning and its end, since agents begin many conversations with the same long text.
 */
const ENOUGH = 8_192;
const OF_ONE = 1_024;
/** The names that the members for the system text, and for the turns, have on any wire. */
const system = namesOfAny("system");
const turns = namesOfAny("turns");

/** The key of the conversation that a request continues: a hash of account, model, system text and first turn. */
export function conversationKey(account: string, model: string, value: JsonObject): string {
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
  for (const name of system) add(value[name]);
  left = ENOUGH;
  for (const name of turns) {
    const list = value[name];
    add(Array.isArray(list) ? list.slice(0, list.findIndex(isTurn) + 1) : list);
  }
  return hash.digest("base64url");
}

/** On wires without a field for the system text, system messages precede the first turn. */
const isTurn = (item: Json): boolean => isObject(item) && item.role !== "system" && item.role !== "developer";
