import type { Effort, Message, SystemMessage, TextRequest } from "../ir/index.ts";
import type { TraceCopy } from "./origins.ts";

/**
 * Replaces the efforts of system messages by the one in force for the answer, for wires that have one effort for a whole
 * request.
 */
export function resolveEffort(request: TextRequest, traceCopy: TraceCopy): TextRequest {
  if (!request.messages.some(hasEffort)) return request;
  const effort = currentEffort(request.messages);
  const messages = request.messages.map((message) => {
    if (!hasEffort(message)) return message;
    const { effort: _, ...plain } = message;
    traceCopy(plain, message);
    return plain;
  });
  if (effort === undefined) return { ...request, messages };
  // "auto" is left out, because an effort means the same: the model decides whether it thinks.
  const { mode, ...ask } = request.reasoning ?? {};
  return {
    ...request,
    messages,
    reasoning: { ...ask, ...(mode && mode !== "auto" && { mode }), effort },
  };
}

const hasEffort = (message: Message): message is SystemMessage =>
  message.role === "system" && message.effort !== undefined;

/** Checks for a user message with more than results of calls. */
const isInput = ({ role, parts }: Message): boolean =>
  role === "user" && (parts as { type: string }[]).some(({ type }) => type !== "result");

/**
 * The effort in force after the messages. A change after a user's input applies to its answer; one elsewhere applies from
 * the next input on.
 */
function currentEffort(messages: readonly Message[]): Effort | undefined {
  let current: Effort | undefined;
  let next: Effort | undefined;
  let answers = false;
  for (const message of messages) {
    if (message.role !== "system") {
      answers = isInput(message);
      if (answers) current = next ?? current;
    } else if (message.effort !== undefined) {
      next = message.effort;
      if (answers) current = next;
    }
  }
  return current;
}
