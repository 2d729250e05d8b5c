import type { AssistantPart, Message, Protocol, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type TraceCopy, withParts } from "./origins.ts";

/**
 * Removes thoughts at the end of the model's turns, as an answer that was broken off leaves them: a request with them is
 * refused. Those that the target's own server knows by more than their text stay.
 */
export function withoutLastThoughts(
  request: TextRequest,
  target: Protocol,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  const isLoose = (part: AssistantPart): boolean =>
    part.type === "reasoning" && part.extra?.protocol !== target;
  const { messages } = request;
  // Read from the end, so that it is known what follows; in reverse, because `unshift` moves all that are there.
  const kept: Message[] = [];
  let isFollowed = false;
  let isSame = true;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i] as Message;
    if (message.role !== "assistant") {
      isFollowed = false;
      kept.push(message);
      continue;
    }
    const { parts } = message;
    const end = isFollowed ? parts.length : parts.findLastIndex((part) => !isLoose(part)) + 1;
    for (let j = end; j < parts.length; j++)
      lose(`/messages/${i}/parts/${j}`, "unsupported", "a thought that nothing of the turn follows");
    isSame &&= end === parts.length;
    if (end === 0 && parts.length > 0) continue;
    kept.push(withParts(message, parts.slice(0, end), traceCopy));
    isFollowed = true;
  }
  return isSame ? request : { ...request, messages: kept.reverse() };
}
