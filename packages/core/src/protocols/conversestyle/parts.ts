import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { CallPart, Extra, TextPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";
import { readCitation } from "./citations.ts";
import type { DocumentNamer } from "./media.ts";

export const protocol = "conversestyle";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
  dialect: Dialect;
  /** The nodes whose cache marks are written. */
  marked: ReadonlySet<object>;
  nameDocument: DocumentNamer;
}

/**
 * The members without a word in the IR: those beside the one that says what a block is, and those within that one,
 * under its name.
 */
export function extrasIn(
  block: JsonObject,
  kind: string,
  readFields: ReadonlySet<string>,
): { extra?: Extra } {
  const outer = nonEmptyExtraOf(protocol, block, new Set([kind])).extra?.fields;
  const inner = nonEmptyExtraOf(protocol, toObject(block[kind]), readFields).extra?.fields;
  if (!outer && !inner) return {};
  const fields = { ...outer, ...(inner && { [kind]: inner }) };
  return { extra: { protocol, fields, ...(inner && { partial: [kind] }) } };
}

/** A block of what `kind` holds, with the members that were read beside and within it. */
export function blockOf(kind: string, value: Json, extra: JsonObject): JsonObject {
  const { [kind]: inner, ...outer } = extra;
  return { [kind]: isObject(value) && isObject(inner) ? { ...value, ...inner } : value, ...outer };
}

/** The side that the content is of. A block in the turn of the wrong side is kept as it came. */
export type Side = "user" | "assistant" | "result";

export const textExtras = (block: JsonObject): { extra?: Extra } => extrasIn(block, "text", new Set());

const callFields = new Set(["toolUseId", "name", "input"]);

/** Checks whether the client runs the tool: a call with a type is one that the provider runs itself. */
export const isPlainCall = ({ type }: JsonObject): boolean => type === undefined || type === null;

/** The common members of a reply's call and a request's. */
export const callOf = (block: JsonObject, call: JsonObject): Omit<CallPart, "arguments"> => ({
  type: "call",
  ...unsealedId(toText(call.toolUseId)),
  name: toText(call.name),
  ...extrasIn(block, "toolUse", callFields),
});

/** A text with its sources; nothing for a block with anything but texts. */
export function readCited(block: JsonObject): TextPart | undefined {
  const { content, citations } = toObject(block.citationsContent);
  const texts = toArray(content).map((one) => textOf(toObject(one).text));
  if (texts.length === 0 || texts.some((text) => text === undefined) || texts.join("") === "")
    return undefined;
  return {
    type: "text",
    text: texts.join(""),
    citations: toArray(citations).map(readCitation),
    ...extrasIn(block, "citationsContent", new Set(["content", "citations"])),
  };
}
