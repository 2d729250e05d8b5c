import type { Message, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { JsonObject } from "../json/json.ts";
import { AS_JSON } from "./json-instruction.ts";

/** Checks whether a request for JSON has no message with the word "JSON": this family of wires refuses it. */
export const lacksJsonWord = ({ format }: TextRequest, messages: readonly Message[]): boolean =>
  format?.type === "json" &&
  !messages.some(({ parts }) => parts.some((part) => part.type === "text" && /json/i.test(part.text)));

/** Reports the added instruction as a loss. */
export const reportJsonWord = (lose: Lose): void =>
  lose("/format", "approximated", "the prompt names JSON, without which the target refuses it");

/** Adds the instruction to the first system message, because some models accept only one, or as a new one. */
export function addJsonWord(wire: JsonObject[], lose: Lose): JsonObject[] {
  reportJsonWord(lose);
  const [first, ...rest] = wire;
  if (first?.role !== "system" && first?.role !== "developer")
    return [{ role: "system", content: AS_JSON }, ...wire];
  const { content } = first;
  if (Array.isArray(content))
    return [{ ...first, content: [...content, { type: "text", text: AS_JSON }] }, ...rest];
  lose("/messages/0/parts/0", "approximated", "the instruction to write JSON follows");
  return [{ ...first, content: `${typeof content === "string" ? content : ""}\n\n${AS_JSON}` }, ...rest];
}
