import type { Trace } from "../../codec/caller-codec.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import type { Extra, OpaquePart, Seal } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, put, rest, toObject, toText } from "../../json/json.ts";
import { isPlaceholder, sealFrom } from "../seal.ts";

export const protocol = "genstyle";

/** The media type that asks for JSON. */
export const JSON_TYPE = "application/json";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
  dialect: Dialect;
  /** The name of the function that a call's id stands for. */
  nameOf(id: string): string | undefined;
}

/** The context of a decoder of a request: ids of calls and results that the wire left without one, by their node. */
export interface Reader {
  trace: Trace;
  idOf(node: JsonObject): string;
}

/** The side that a part stands on: only the model's parts can be thoughts and calls, only the user's results. */
export type Side = "user" | "assistant";

export const opaque = (value: Json): OpaquePart => ({ type: "opaque", protocol, value });

/** `fields` of a node and of records inside it, as extra. */
export const toExtra = (fields: JsonObject | undefined): { extra?: Extra } =>
  fields && Object.keys(fields).length > 0 ? { extra: { protocol, fields } } : {};

/** The members of `inner`, a record inside a node, without `knownFields`: kept under its name, as they stood. */
export const leftIn = (
  name: string,
  inner: Json | undefined,
  knownFields: ReadonlySet<string>,
): JsonObject => {
  const left = rest(toObject(inner), knownFields);
  return left ? { [name]: left } : {};
};

/** Adds what is missing, also inside records that both have. */
export function fill(record: JsonObject, fields: JsonObject): JsonObject {
  const out = { ...record };
  for (const [key, value] of Object.entries(fields)) {
    const existing = Object.hasOwn(out, key) ? out[key] : undefined;
    if (existing === undefined) put(out, key, value);
    else if (isObject(existing) && isObject(value)) out[key] = fill(existing, value);
  }
  return out;
}

export function readSeal(value: Json | undefined): Seal | undefined {
  const text = toText(value);
  return text === "" || isPlaceholder(text) ? undefined : sealFrom(protocol, text);
}
