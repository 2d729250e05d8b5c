import type { Protocols } from "@manifold-gateway/core";
import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import type { GuardedText } from "../ports/guards.ts";

/** Values that are words of a protocol, and ids, by their members: `user`, `input_text`, `HARM_CATEGORY_X`, `call_1`. */
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
const CONSTANT = /^[A-Z][A-Z_]{0,63}$/;
/** What only a provider can read: signatures and encrypted thoughts. */
const SEAL = /^[\w+/=.:-]{16,}$/;
/** Addresses that hold a file themselves. */
const DATA_URL = /^data:[\w.+-]{1,64}\/[\w.+-]{1,64}[;,]/;
/** The types of native parts that are files, whose media type is found by their contents. */
const INLINE = /^[a-z]{1,32}Base64$/;
/** Members with the tokens of a text, one by one. */
const TOKENS = /^logprobs/;

/** All texts of a body but words of its protocol, ids, files and seals, each with its place. */
export function bodyTexts(body: JsonObject, wires: Pick<Protocols, "namesOf" | "files">): GuardedText[] {
  const texts: GuardedText[] = [];
  const seals = wires.namesOf("bound");
  const mediaTypes = wires.namesOf("mediaTypes");
  const isText = (value: string, name: string, within: JsonObject): boolean => {
    if (value === "" || WORDS[name]?.test(value) || CONSTANT.test(value) || DATA_URL.test(value))
      return false;
    if (seals.has(name) && SEAL.test(value)) return false;
    if (wires.files.get(name) !== "typedBase64") return true;
    const isTyped = Object.keys(within).some((member) => mediaTypes.has(member));
    return !isTyped && !(typeof within.type === "string" && INLINE.test(within.type));
  };
  const collect = (value: Json, place: string, name: string, within: JsonObject): void => {
    if (typeof value === "string") {
      if (isText(value, name, within)) texts.push({ place, text: value });
    } else if (Array.isArray(value))
      for (const [at, item] of value.entries()) collect(item, `${place}/${at}`, name, within);
    else if (isObject(value))
      for (const [member, one] of Object.entries(value))
        if (!TOKENS.test(member)) collect(one, `${place}/${escaped(member)}`, member, value);
  };
  for (const [name, value] of Object.entries(body))
    if (name !== "model") collect(value, `/${escaped(name)}`, name, body);
  return texts;
}

/**
 * The body with other texts at their places. What states a changed text in another way is left out with it: its tokens
 * and its signature.
 */
export function withTexts(
  body: JsonObject,
  texts: ReadonlyMap<string, string>,
  wires: Pick<Protocols, "namesOf">,
): JsonObject {
  const seals = wires.namesOf("bound");
  const change = (value: Json, place: string): Json => {
    if (typeof value === "string") return texts.get(place) ?? value;
    if (Array.isArray(value)) return value.map((item, at) => change(item, `${place}/${at}`));
    if (!isObject(value)) return value;
    const changed: JsonObject = {};
    let isChanged = false;
    for (const [member, one] of Object.entries(value)) {
      if (TOKENS.test(member)) continue;
      const made = change(one, `${place}/${escaped(member)}`);
      if (typeof one === "string" && made !== one) isChanged = true;
      changed[member] = made;
    }
    if (isChanged) for (const member of seals) delete changed[member];
    return changed;
  };
  return change(body, "") as JsonObject;
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
