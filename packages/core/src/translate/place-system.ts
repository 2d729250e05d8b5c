import type { Traits } from "../codec/traits.ts";
import type { Message, SystemMessage, TextRequest, UserMessage } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { hoist, join } from "../ir/turns.ts";
import type { Moved } from "./origins.ts";

/**
 * The request with system text only where the model takes it: neighbours become one message where it takes few, and
 * text at any other place is sent as the user's, in its place, so that its order and the results of calls stay.
 */
export function placeSystem(
  request: TextRequest,
  { midSystem, system }: Traits,
  lose: Lose,
  moved: Moved,
): TextRequest {
  const { messages } = request;
  const head = system === false ? 0 : hoist(messages).system.length;
  const anywhere = system !== false && midSystem !== false && midSystem !== "afterUser";
  const isOne = head < 2 || midSystem !== false;
  if (anywhere || (isOne && !messages.slice(head).some(isSystem))) return request;

  const first = messages.slice(0, head) as SystemMessage[];
  const placed: Message[] = isOne ? first : [oneOf(first, moved)];
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
    if (system !== false && midSystem === "afterUser" && fits) placed.push(oneOf(run, moved));
    else
      for (const [k, one] of run.entries()) {
        lose(`/messages/${i + k}`, "approximated", "sent as a message of the user, in its place");
        placed.push(asUser(one, moved));
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

function oneOf([first, ...others]: SystemMessage[], moved: Moved): SystemMessage {
  const message = others.reduce<SystemMessage>(join, first as SystemMessage);
  if (others.length > 0) moved(message, first as SystemMessage);
  return message;
}

function asUser(message: SystemMessage, moved: Moved): UserMessage {
  const { developer, effort, ...others } = message;
  const spoken: UserMessage = { ...others, role: "user" };
  moved(spoken, message);
  return spoken;
}
