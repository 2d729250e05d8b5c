import type { Traits } from "../codec/traits.ts";
import type { Message, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { CONTINUED, join, OPENED, OPENING } from "../ir/turns.ts";
import { type JsonObject, toArray, toObject } from "../json/json.ts";
import type { Moved } from "./origins.ts";

/** The request with turns of the user and the model in turn, the user's first, where the model insists on it. */
export function fitTurns(
  request: TextRequest,
  { alternates }: Traits,
  lose: Lose,
  moved: Moved,
): TextRequest {
  return alternates ? { ...request, messages: inTurn(request.messages, lose, moved) } : request;
}

/**
 * The wire request with a turn of the user at its end, where the model insists on one. The request as it is written
 * counts: its encoder leaves out turns of which nothing is left.
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

const userText = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

function inTurn(all: readonly Message[], lose: Lose, moved: Moved): Message[] {
  const turns: Message[] = [];
  all.forEach((message, i) => {
    const last = turns.at(-1);
    if (last?.role !== message.role || message.role === "system") {
      const isFirst = message.role === "assistant" && !turns.some(({ role }) => role === "user");
      if (isFirst) {
        lose("/messages", "approximated", OPENED);
        turns.push(userText(OPENING));
      }
      turns.push(message);
      return;
    }
    if (message.name !== undefined && message.name !== last.name) lose(`/messages/${i}/name`, "unsupported");
    const both = join(last, message);
    moved(both, last);
    turns[turns.length - 1] = both;
  });
  return turns;
}
