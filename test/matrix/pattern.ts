import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";

/** Members that every writer makes up for itself. */
const own = new Set(["id", "status"]);

/**
 * Whether a wire says what a pattern says, and maybe more: of an object the named members, of a list the items in
 * their order. A text is alike as a string and as the only text of a list of parts.
 */
export function says(wire: Json | undefined, pattern: Json): boolean {
  if (Array.isArray(pattern)) {
    if (typeof wire === "string") return pattern.length === 1 && textOf(pattern[0]) === wire;
    if (!Array.isArray(wire)) return false;
    let at = 0;
    return pattern.every((item) => {
      while (at < wire.length && !says(wire[at], item)) at += 1;
      at += 1;
      return at <= wire.length;
    });
  }
  if (isObject(pattern))
    return (
      isObject(wire) &&
      Object.entries(pattern).every(([key, value]) => own.has(key) || says(wire[key], value as Json))
    );
  if (typeof pattern === "string" && Array.isArray(wire))
    return wire.some((part) => textOf(part) === pattern);
  return wire === pattern;
}

/** The text of a part that is nothing but text. */
const textOf = (part: Json | undefined): Json | undefined =>
  isObject(part) && Object.keys(part).every((key) => key === "type" || key === "text")
    ? part.text
    : undefined;

/** Lists whose items are laid over one by one: the alternatives of a reply. */
const alternatives = new Set(["choices", "candidates"]);

/** `over` laid over `base`: objects member by member, everything else replaced. */
export function overlay(base: Json | undefined, over: Json): Json {
  if (!isObject(base) || !isObject(over)) return over;
  const out: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const own = base[key];
    const both = alternatives.has(key) && Array.isArray(own) && Array.isArray(value);
    out[key] = both ? value.map((item, i) => overlay(own[i], item)) : overlay(own, value as Json);
  }
  return out;
}
