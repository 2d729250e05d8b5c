import type { AssistantMessage, Message, SystemMessage, UserMessage } from "./index.ts";

/** The user text of a conversation that has none: most wires require some. */
export const OPENING = "Begin.";
/** The detail of the loss that reports it. */
export const OPENED = "a conversation has to begin with the user";

/** The user text behind a turn of the model that has to go on, where a conversation has to end with the user. */
export const CONTINUED = "Continue.";

/**
 * Messages as alternating turns, for wires that want them so: neighbours of one role are joined, and within a
 * user turn the results come first. System messages are left where they stand; see `hoist`.
 */
export function joinTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last && last.role === message.role && message.role !== "system")
      turns[turns.length - 1] = join(last, message);
    else turns.push(message);
  }
  return turns.map((turn) => (turn.role === "user" ? { ...turn, parts: resultsFirst(turn.parts) } : turn));
}

/** The same with thoughts in one piece for each seal. */
export const toTurns = (messages: readonly Message[]): Message[] =>
  joinTurns(messages).map((turn) =>
    turn.role === "assistant" ? { ...turn, parts: wholeThoughts(turn.parts) } : turn,
  );

/**
 * Thoughts that a client kept in pieces, one a chunk, as the one text that their seal was made over. A seal, a
 * part of another kind, or a redacted thought ends a piece.
 */
function wholeThoughts(parts: AssistantMessage["parts"]): AssistantMessage["parts"] {
  const whole: AssistantMessage["parts"] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    const goesOn = part.type === "reasoning" && last?.type === "reasoning" && !last.seal && !last.redacted;
    if (goesOn && !part.redacted) whole[whole.length - 1] = { ...last, ...part, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}

/** Two messages of one role as one. The name is the first one's; extra fields of one protocol come together. */
export function join<M extends Message>(first: M, second: Message): M {
  const extra =
    first.extra && second.extra?.protocol === first.extra.protocol
      ? { protocol: first.extra.protocol, fields: { ...second.extra.fields, ...first.extra.fields } }
      : (first.extra ?? second.extra);
  return { ...first, parts: [...first.parts, ...second.parts], ...(extra && { extra }) };
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
