import type { Traits } from "../codec/traits.ts";
import type { Message, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { CONTINUED, join, OPENED, OPENING } from "../ir/turns.ts";
import { type JsonObject, toArray, toObject } from "../json/json.ts";
import type { TraceCopy } from "./origins.ts";

/** Makes turns of user and model alternate, beginning with the user, for models that require it. */
export function fitTurns(
  request: TextRequest,
  { alternates }: Traits,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  return alternates ? { ...request, messages: alternateTurns(request.messages, lose, traceCopy) } : request;
}

/**
 * Adds a turn of the user to the end of the wire request, for models that require one. It is the last step because
 * encoders leave out turns that become empty.
 */
export function endWithUser(
  wire: JsonObject,
  [member = ""]: readonly string[],
  { prefill }: Traits,
  lose: Lose,
): JsonObject {
  const turns = toArray(wire[member]);
  if (prefill !== false || toObject(turns.at(-1)).role !== "assistant") return wire;
  lose(
    "/messages",
    "approximated",
    "the conversation has to end with the user; a text of the user was added",
  );
  return { ...wire, [member]: [...turns, { role: "user", content: CONTINUED }] };
}

const userMessage = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

function alternateTurns(all: readonly Message[], lose: Lose, traceCopy: TraceCopy): Message[] {
  const turns: Message[] = [];
  all.forEach((message, i) => {
    const last = turns.at(-1);
    if (last?.role !== message.role || message.role === "system") {
      const isFirst = message.role === "assistant" && !turns.some(({ role }) => role === "user");
      if (isFirst) {
        lose("/messages", "approximated", OPENED);
        turns.push(userMessage(OPENING));
      }
      turns.push(message);
      return;
    }
    if (message.name !== undefined && message.name !== last.name) lose(`/messages/${i}/name`, "unsupported");
    const both = join(last, message);
    traceCopy(both, last);
    turns[turns.length - 1] = both;
  });
  return turns;
}
