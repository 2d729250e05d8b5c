import type { AssistantMessage, Message, SystemMessage, UserMessage } from "./ir/index.ts";

/**
 * Messages as alternating turns, for wires that want them so: neighbours of one role are joined, and within a
 * user turn the results come first. System messages are left where they stand; see `hoist`.
 */
export function toTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last && last.role === message.role && message.role !== "system")
      turns[turns.length - 1] = { ...last, parts: [...last.parts, ...message.parts] } as
        | UserMessage
        | AssistantMessage;
    else turns.push(message);
  }
  return turns.map((turn) => (turn.role === "user" ? { ...turn, parts: resultsFirst(turn.parts) } : turn));
}

const resultsFirst = (parts: UserMessage["parts"]): UserMessage["parts"] =>
  parts.some((part) => part.type === "result")
    ? [...parts.filter((part) => part.type === "result"), ...parts.filter((part) => part.type !== "result")]
    : parts;

/** The leading run of system messages, and what follows it: wires with one system field take the run there. */
export function hoist(messages: readonly Message[]): { system: SystemMessage[]; rest: Message[] } {
  const first = messages.findIndex((message) => message.role !== "system");
  const count = first < 0 ? messages.length : first;
  return { system: messages.slice(0, count) as SystemMessage[], rest: messages.slice(count) };
}
