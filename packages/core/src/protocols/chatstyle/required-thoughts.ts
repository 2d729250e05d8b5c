import type { Traits } from "../../codec/traits.ts";
import { isObject, type JsonObject, toArray } from "../../json/json.ts";
import type { Edits } from "../../json/splice.ts";
import { plainThoughts } from "./thoughts.ts";

const hasCalls = ({ tool_calls: calls }: JsonObject): boolean => toArray(calls).length > 0;

/**
 * Messages with the thoughts without which the model refuses its turns, empty where the conversation lacks them: few
 * clients of this wire keep a member that its standard does not have. The same list where none is missing.
 */
export function withRequiredThoughts(messages: JsonObject[], { reasoningBack }: Traits): JsonObject[] {
  const every = reasoningBack === "always" && messages.some(hasCalls);
  if (reasoningBack !== "calls" && !every) return messages;
  const lacks = (message: JsonObject): boolean =>
    message.role === "assistant" && (every || hasCalls(message)) && message.reasoning_content == null;
  return messages.some(lacks)
    ? messages.map((message) =>
        lacks(message) ? { ...message, reasoning_content: plainThoughts(message) } : message,
      )
    : messages;
}

/** Edits of a body whose turns lack the thoughts without which the model refuses them. */
export function addThoughts({ messages }: JsonObject, traits: Traits): Edits {
  const given = toArray(messages);
  if (!given.every(isObject)) return {};
  const written = withRequiredThoughts(given, traits);
  return written === given ? {} : { messages: written };
}
