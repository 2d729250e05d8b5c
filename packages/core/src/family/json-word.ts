import type { Message, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { JsonObject } from "../json/json.ts";
import { AS_JSON } from "./json-instruction.ts";

/** Checks whether an answer in JSON is wanted of messages that do not name it: the family refuses that. */
export const lacksWord = ({ format }: TextRequest, messages: readonly Message[]): boolean =>
  format?.type === "json" &&
  !messages.some(({ parts }) => parts.some((part) => part.type === "text" && /json/i.test(part.text)));

/** The loss of an instruction that is added. */
export const reportWord = (lose: Lose): void =>
  lose("/format", "approximated", "the prompt names JSON, without which the target refuses it");

/** Adds the instruction to the system message at the head, or as one: some models take no second one. */
export function nameJson(wire: JsonObject[], lose: Lose): JsonObject[] {
  reportWord(lose);
  const [first, ...rest] = wire;
  if (first?.role !== "system" && first?.role !== "developer")
    return [{ role: "system", content: AS_JSON }, ...wire];
  const { content } = first;
  if (Array.isArray(content))
    return [{ ...first, content: [...content, { type: "text", text: AS_JSON }] }, ...rest];
  lose("/messages/0/parts/0", "approximated", "the instruction to write JSON follows");
  return [{ ...first, content: `${typeof content === "string" ? content : ""}\n\n${AS_JSON}` }, ...rest];
}
