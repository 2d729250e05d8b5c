import type { Effort, Message, SystemMessage, TextRequest } from "../ir/index.ts";
import type { Moved } from "./origins.ts";

/**
 * The request at the effort that is in force for its answer, where system messages of the conversation changed it: for
 * wires that have one effort for a request.
 */
export function followEfforts(request: TextRequest, moved: Moved): TextRequest {
  const effort = effortIn(request.messages);
  if (!request.messages.some(hasEffort)) return request;
  const messages = request.messages.map((message) => {
    if (!hasEffort(message)) return message;
    const { effort: _, ...plain } = message;
    moved(plain, message);
    return plain;
  });
  if (effort === undefined) return { ...request, messages };
  // An effort leaves it to the model whether it thinks, which is all that "auto" says.
  const { mode, ...ask } = request.reasoning ?? {};
  return {
    ...request,
    messages,
    reasoning: { ...ask, ...(mode && mode !== "auto" && { mode }), effort },
  };
}

const hasEffort = (message: Message): message is SystemMessage =>
  message.role === "system" && message.effort !== undefined;

/** The results of calls alone are no new input. */
const isInput = ({ role, parts }: Message): boolean =>
  role === "user" && (parts as { type: string }[]).some(({ type }) => type !== "result");

/** The effort that the messages put in force: a change behind an input is for its answer, another one waits. */
function effortIn(messages: readonly Message[]): Effort | undefined {
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
