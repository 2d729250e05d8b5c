import type { CallPart, Seal } from "../../ir/index.ts";
import { type Json, type JsonObject, rest, textOf, toObject, toText } from "../../json/json.ts";
import { isPlaceholder, unsealedId } from "../seal.ts";
import { extrasOf } from "./parts.ts";

const callFields = new Set(["id", "type", "function", "custom", "index", "extra_content"]);

/** Arguments as JSON text. Clients and servers write none of them in several ways; an object is what all mean. */
export function argumentsOf(value: Json | undefined): string {
  if (typeof value === "string") return value.trim() === "" ? "{}" : value;
  return value === undefined || value === null ? "{}" : JSON.stringify(value);
}

/**
 * The seal beside a call: servers of another wire's models put its signature here. Other members of the
 * same record stay in `extra`.
 */
function readSignature(wire: JsonObject): { seal?: Seal; remaining: JsonObject } {
  const google = toObject(toObject(wire.extra_content).google);
  const value = textOf(google.thought_signature);
  if (!value) return { remaining: wire };
  const others = rest(google, new Set(["thought_signature"]));
  const content = {
    ...rest(toObject(wire.extra_content), new Set(["google"])),
    ...(others && { google: others }),
  };
  const { extra_content: _, ...left } = wire;
  return {
    ...(!isPlaceholder(value) && { seal: { protocol: "genstyle", value } }),
    remaining: Object.keys(content).length > 0 ? { ...left, extra_content: content } : left,
  };
}

/** A call's members beside its name and arguments. `fallback` names calls that the wire left without an id. */
export function readCallHead(wire: JsonObject, fallback: string): Pick<CallPart, "id" | "seal" | "extra"> {
  const { id, seal } = unsealedId(toText(wire.id) || fallback);
  const { seal: signed, remaining } = readSignature(wire);
  const known = remaining.extra_content === undefined ? callFields : withoutContent;
  const found = signed ?? seal;
  return { id, ...(found && { seal: found }), ...extrasOf(remaining, known) };
}
const withoutContent = new Set([...callFields].filter((name) => name !== "extra_content"));

/** The member that keeps a call of an unknown kind: it is no content. */
export const OPAQUE_CALL = "tool_call";
