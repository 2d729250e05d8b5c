import type { Traits } from "../codec/traits.ts";
import type { Message, SystemMessage, TextRequest, UserMessage } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { hoist, join } from "../ir/turns.ts";
import type { TraceCopy } from "./origins.ts";

/**
 * Keeps system text only where the model accepts it. Neighbouring system messages are joined if it accepts only one, and
 * those in other places become user messages where they stand, so that the order of the conversation stays.
 */
export function placeSystem(
  request: TextRequest,
  { midSystem, system }: Traits,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  const { messages } = request;
  const head = system === false ? 0 : hoist(messages).system.length;
  const anywhere = system !== false && midSystem !== false && midSystem !== "afterUser";
  const isOne = head < 2 || midSystem !== false;
  if (anywhere || (isOne && !messages.slice(head).some(isSystem))) return request;

  const first = messages.slice(0, head) as SystemMessage[];
  const placed: Message[] = isOne ? first : [joinSystem(first, traceCopy)];
  for (let i = head; i < messages.length; ) {
    const message = messages[i] as Message;
    if (!isSystem(message)) {
      placed.push(message);
      i += 1;
      continue;
    }
    const run = messages.slice(i, endOfRun(messages, i)) as SystemMessage[];
    const follows = placed.at(-1)?.role === "user";
    const next = messages[i + run.length];
    const fits = follows && (next === undefined || next.role === "assistant");
    if (system !== false && midSystem === "afterUser" && fits) placed.push(joinSystem(run, traceCopy));
    else
      for (const [k, one] of run.entries()) {
        lose(`/messages/${i + k}`, "approximated", "sent as a message of the user, in its place");
        placed.push(toUserMessage(one, traceCopy));
      }
    i += run.length;
  }
  return { ...request, messages: placed };
}

const isSystem = (message: Message): message is SystemMessage => message.role === "system";

function endOfRun(messages: readonly Message[], start: number): number {
  const end = messages.findIndex((message, i) => i > start && !isSystem(message));
  return end < 0 ? messages.length : end;
}

function joinSystem([first, ...others]: SystemMessage[], traceCopy: TraceCopy): SystemMessage {
  const message = others.reduce<SystemMessage>(join, first as SystemMessage);
  if (others.length > 0) traceCopy(message, first as SystemMessage);
  return message;
}

function toUserMessage(message: SystemMessage, traceCopy: TraceCopy): UserMessage {
  const { developer, effort, ...others } = message;
  const spoken: UserMessage = { ...others, role: "user" };
  traceCopy(spoken, message);
  return spoken;
}
