import type { ResultPart } from "../../ir/index.ts";
import { type Json, type JsonObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";
import { decodeContent } from "./decode-parts.ts";
import { runOutputs } from "./items.ts";
import { extrasOf } from "./parts.ts";

/** The name of the call, where an item has it, stays as it is: pairs are made by id. */
const resultFields = new Set(["type", "call_id", "output"]);
const runFields = new Set(["call_id", "output"]);
const oldRunFields = new Set(["id", "output"]);

/** Checks whether an item answers a call. One that names no call belongs to a server-run tool. */
export const isResult = (type: string, item: JsonObject): boolean =>
  (type === "function_call_output" || type === "custom_tool_call_output" || runOutputs.has(type)) &&
  callIdOf(item) !== "";

/** Local shell results of older clients name the call in `id`. */
const callIdOf = (item: JsonObject): string =>
  toText(item.call_id) || (item.type === "local_shell_call_output" ? toText(item.id) : "");

/** `runs` names the calls that client-run items stand for: a plain result of one of them keeps that it is plain. */
export function decodeResult(type: string, item: JsonObject, runs: ReadonlySet<string>): ResultPart {
  const { id } = unsealedId(callIdOf(item));
  if (runOutputs.has(type)) {
    const text = typeof item.output === "string" ? item.output : textify(item.output);
    return {
      type: "result",
      id,
      parts: text === "" ? [] : [{ type: "text", text }],
      ...(item.status === "failed" && { failed: true }),
      ...extrasOf(item, item.call_id === undefined ? oldRunFields : runFields),
    };
  }
  const parts = decodeContent(item.output).map(({ part }) => part);
  return {
    type: "result",
    id,
    parts,
    ...(type === "custom_tool_call_output" && { freeform: true }),
    ...extrasOf(item, runs.has(id) ? runFields : resultFields),
  };
}

const textify = (output: Json | undefined): string =>
  output === undefined || output === null ? "" : JSON.stringify(output);
