import type { Traits } from "../codec/traits.ts";
import type { Message, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { CONTINUED, join, OPENED, OPENING } from "../ir/turns.ts";
import type { Moved } from "./origins.ts";

/** The request with the turns that the model insists on: in turn, the user's first, and the user's last. */
export function fitTurns(
  request: TextRequest,
  { alternates, prefill }: Traits,
  lose: Lose,
  moved: Moved,
): TextRequest {
  const ends = prefill !== false || request.messages.at(-1)?.role !== "assistant";
  if (!alternates && ends) return request;
  const messages = alternates ? inTurn(request.messages, lose, moved) : [...request.messages];
  if (!ends) {
    lose(
      `/messages/${request.messages.length - 1}`,
      "approximated",
      "the conversation has to end with the user; a text of the user was added",
    );
    messages.push(userText(CONTINUED));
  }
  return { ...request, messages };
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
