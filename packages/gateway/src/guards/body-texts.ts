import type { Protocols } from "@manifold-gateway/core";
import { escapePointer, isObject, type Json, type JsonObject, put } from "@manifold-gateway/core/codec";
import type { GuardedText } from "../ports/guards.ts";

/** Members whose values are the caller's own data, so that names of members inside have no meaning in the protocol. */
const FREE_VALUES: ReadonlySet<string> = new Set(["metadata", "documents"]);
/** Values that are words of a protocol, and ids, by their members: `user`, `input_text`, `call_1`. */
const WORDS: Readonly<Record<string, RegExp>> = {
  role: /^[a-z_]{1,32}$/,
  type: /^[a-z][\w.]{0,47}$/,
  object: /^[a-z_.]{1,48}$/,
  status: /^[a-z_]{1,32}$/,
  finish_reason: /^[a-z_]{1,32}$/,
  stop_reason: /^[a-z_]{1,32}$/,
  service_tier: /^[a-z_]{1,32}$/,
  system_fingerprint: /^\w{1,64}$/,
  id: /^[\w-]{1,128}$/,
  tool_call_id: /^[\w-]{1,128}$/,
  tool_use_id: /^[\w-]{1,128}$/,
  call_id: /^[\w-]{1,128}$/,
};
/** Values such as `HARM_CATEGORY_X`, which elsewhere are texts in capitals. */
const CONSTANT = /^[A-Z][A-Z_]{0,63}$/;
/** The members with such values, by their names without underscores, in small letters. */
const CONSTANTS: ReadonlySet<string> = new Set([
  ...["category", "threshold", "method", "probability", "severity", "blockreason", "finishreason"],
  ...["type", "mode", "behavior", "modality", "responsemodalities", "traffictype"],
  ...["thinkinglevel", "mediaresolution", "level", "language", "outcome", "environment", "persongeneration"],
]);
const isConstant = (name: string, value: string): boolean =>
  CONSTANT.test(value) && CONSTANTS.has(name.replaceAll("_", "").toLowerCase());
/** Values that only a provider can read: signatures and encrypted reasoning. */
const SEAL = /^[\w+/=.:-]{16,}$/;
/** Addresses that hold a file in base64 themselves; those with text in them are texts. */
const DATA_URL = /^data:[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w.+=-]{1,64}){0,4};base64,[\w+/=-]*$/;
/** A file in base64: no text has so long a run without a space. */
const BASE64 = /^[\w+/-]{256,}={0,2}$/;
/** The types of native parts that are files, whose media type is found by their contents. */
const INLINE = /^[a-z]{1,32}Base64$/;
/** Members with the tokens of a text, one by one. */
const TOKENS: ReadonlySet<string> = new Set(["logprobs", "logprobsResult"]);

/** Checks whether a member lists the tokens of a text: as a parameter of a request it is a number or a switch. */
const holdsTokens = (member: string, value: Json): boolean =>
  TOKENS.has(member) && typeof value === "object" && value !== null;

/** A check whether a member of a record is a free value: arguments or the result of a call, or a caller's own data. */
const freeBy =
  ({ isToolValue }: Pick<Protocols, "isToolValue">) =>
  (record: JsonObject, member: string, within: string): boolean =>
    FREE_VALUES.has(member) || isToolValue(record, member, within);

/**
 * All texts of a body, each with its place, without words of the protocol, ids, files and seals. In free values only
 * files are left out, because members there have no meaning in the protocol.
 */
export function bodyTexts(
  body: JsonObject,
  wires: Pick<Protocols, "namesOf" | "files" | "isToolValue">,
): GuardedText[] {
  const texts: GuardedText[] = [];
  const seals = wires.namesOf("bound");
  const isFree = freeBy(wires);
  const mediaTypes = wires.namesOf("mediaTypes");
  const isTypedFile = (name: string, within: JsonObject): boolean =>
    wires.files.get(name) === "typedBase64" &&
    (Object.keys(within).some((member) => mediaTypes.has(member)) ||
      (typeof within.type === "string" && INLINE.test(within.type)));
  const isText = (value: string, name: string, within: JsonObject, free: boolean): boolean => {
    if (value === "" || DATA_URL.test(value)) return false;
    if (free) return !(isTypedFile(name, within) && BASE64.test(value));
    if (WORDS[name]?.test(value) || isConstant(name, value)) return false;
    return !(seals.has(name) && SEAL.test(value)) && !isTypedFile(name, within);
  };
  const collect = (value: Json, place: string, name: string, within: JsonObject, free: boolean): void => {
    if (typeof value === "string") {
      if (isText(value, name, within, free)) texts.push({ place, text: value });
    } else if (Array.isArray(value))
      for (const [at, item] of value.entries()) collect(item, `${place}/${at}`, name, within, free);
    else if (isObject(value))
      for (const [member, one] of Object.entries(value)) {
        if (!free && holdsTokens(member, one)) continue;
        const at = `${place}/${escapePointer(member)}`;
        collect(one, at, member, value, free || isFree(value, member, name));
      }
  };
  const { model: _, ...rest } = body;
  collect(rest, "", "", rest, false);
  return texts;
}

/**
 * The body with other texts at their places. For a changed text, its list of tokens and its signature are removed,
 * because they still state the original.
 */
export function withTexts(
  body: JsonObject,
  texts: ReadonlyMap<string, string>,
  wires: Pick<Protocols, "namesOf" | "isToolValue">,
): JsonObject {
  const seals = wires.namesOf("bound");
  const isFree = freeBy(wires);
  const change = (value: Json, place: string, name: string, free: boolean): Json => {
    if (typeof value === "string") return texts.get(place) ?? value;
    if (Array.isArray(value)) return value.map((item, at) => change(item, `${place}/${at}`, name, free));
    if (!isObject(value)) return value;
    const changed: JsonObject = {};
    let isChanged = false;
    for (const [member, one] of Object.entries(value)) {
      if (!free && holdsTokens(member, one)) continue;
      const at = `${place}/${escapePointer(member)}`;
      const made = change(one, at, member, free || isFree(value, member, name));
      if (typeof one === "string" && made !== one) isChanged = true;
      put(changed, member, made);
    }
    if (isChanged && !free) for (const member of seals) delete changed[member];
    return changed;
  };
  return change(body, "", "", false) as JsonObject;
}
