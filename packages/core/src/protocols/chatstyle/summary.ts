import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import type { Summary } from "../../stream/observe.ts";
import { hasContent } from "./burst.ts";
import { findError } from "./decode-failure.ts";
import { findUsage, readUsage } from "./decode-usage.ts";
import { failureWords, toFinish } from "./finish.ts";
import { plainThoughts } from "./thoughts.ts";

/** Members of a message that are more than text, if they hold anything. */
const LISTS = ["content", "reasoning_details", "thinking_blocks", "images", "tool_calls", "content_list"];
const RECORDS = ["audio", "function_call"];

/**
 * The facts of a body with one message of text, by far the most usual one. `undefined` for others, and for bodies without
 * an end.
 */
export function summarize(body: Json): Summary | undefined {
  if (!isObject(body) || findError(body)) return undefined;
  const choices = toArray(body.choices);
  const choice = choices[0];
  if (choices.length !== 1 || !isObject(choice) || isObject(choice.error)) return undefined;
  const message = toObject(choice.delta ?? choice.message);
  if (!isText(message)) return undefined;
  const word = textOf(choice.finish_reason) || undefined;
  // Whether such a word says a failure depends on the rest of the reply.
  if (word !== undefined && failureWords.has(word)) return undefined;
  if (word === undefined && !hasContent(choice)) return undefined;
  const refusal = toText(message.refusal);
  const content = toText(message.content).length + refusal.length + plainThoughts(message).length;
  const reported = findUsage(body);
  const usage = reported && readUsage(reported)?.usage;
  return {
    ...(usage && { usage }),
    finish: toFinish(word, { called: false, refused: refusal !== "", empty: content === 0 }, choice),
    content,
  };
}

function isText(message: JsonObject): boolean {
  for (const name of LISTS) if (toArray(message[name]).length > 0) return false;
  for (const name of RECORDS) if (isObject(message[name])) return false;
  return true;
}
