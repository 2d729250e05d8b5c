import type { TextRequest } from "@manifold-gateway/core";
import type { AssistantPart, CallPart, Message, Part, ResultPart } from "@manifold-gateway/core/ir";

// Changes of a conversation. Whatever a page does not show of a message stays in it.

type Change = (request: TextRequest) => TextRequest;

export const textPart = (): Part => ({ type: "text", text: "" });

const withMessages =
  (change: (messages: Message[]) => Message[]): Change =>
  (request) => ({ ...request, messages: change(request.messages) });

export const changeMessage = (at: number, change: (message: Message) => Message): Change =>
  withMessages((messages) => messages.map((message, index) => (index === at ? change(message) : message)));

const withParts = (message: Message, parts: Part[]): Message => ({ ...message, parts }) as Message;

export const changeParts = (at: number, change: (parts: Part[]) => Part[]): Change =>
  changeMessage(at, (message) => withParts(message, change(message.parts)));

export const changePart = (at: number, partAt: number, change: (part: Part) => Part): Change =>
  changeParts(at, (parts) => parts.map((part, index) => (index === partAt ? change(part) : part)));

export const removePart = (at: number, partAt: number): Change =>
  changeParts(at, (parts) => parts.filter((_, index) => index !== partAt));

export const addParts = (at: number, parts: readonly Part[]): Change =>
  changeParts(at, (before) => [...before, ...parts]);

export const addMessage = (message: Message): Change => withMessages((messages) => [...messages, message]);

export const removeMessage = (at: number): Change =>
  withMessages((messages) => messages.filter((_, index) => index !== at));

/** The roles that a message can take with the parts that it has. */
export function rolesFor({ parts }: Message): Message["role"][] {
  const types = new Set(parts.map(({ type }) => type));
  if (types.has("result")) return ["user"];
  if (types.has("call") || types.has("reasoning")) return ["assistant"];
  return types.has("media") || types.has("opaque") ? ["user", "assistant"] : ["system", "user", "assistant"];
}

export const changeRole = (at: number, role: Message["role"]): Change =>
  changeMessage(at, ({ parts, name }) => ({ role, parts, ...(name !== undefined && { name }) }) as Message);

/** The system message at the beginning that is one text, which has a field of its own. */
const plainSystem = (first: Message | undefined) =>
  first?.role === "system" && first.parts.length === 1 ? first : undefined;

/** How many messages at the beginning are shown by the field of the system text. */
export const systemCount = ({ messages: [first] }: TextRequest): number => (plainSystem(first) ? 1 : 0);

export const systemText = ({ messages: [first] }: TextRequest): string =>
  plainSystem(first)?.parts[0]?.text ?? "";

export const changeSystem = (text: string): Change =>
  withMessages((messages) => {
    const system = plainSystem(messages[0]);
    const others = system ? messages.slice(1) : messages;
    if (text === "") return others;
    const [part = { type: "text" as const }] = system?.parts ?? [];
    return [{ ...(system ?? { role: "system" as const }), parts: [{ ...part, text }] }, ...others];
  });

const answerTo = ({ id, name, freeform }: CallPart): ResultPart => ({
  type: "result",
  id,
  name,
  parts: [{ type: "text", text: "" }],
  ...(freeform && { freeform }),
});

/** A conversation that goes on from a reply: with room for the answers to its calls, or else for what is said next. */
export const continueWith = (parts: readonly AssistantPart[]): Change => {
  const calls = parts.filter((part) => part.type === "call");
  const next: Part[] = calls.length > 0 ? calls.map(answerTo) : [textPart()];
  return withMessages((messages) => [
    ...messages,
    { role: "assistant", parts: [...parts] },
    { role: "user", parts: next } as Message,
  ]);
};

/** A request as it is sent: without texts and messages that nothing was written in. */
export function toSend(request: TextRequest): TextRequest {
  const isEmpty = (part: Part): boolean => part.type === "text" && part.text === "";
  const messages = request.messages.flatMap((message) => {
    if (!message.parts.some(isEmpty)) return [message];
    const parts = message.parts.filter((part) => !isEmpty(part));
    return parts.length === 0 ? [] : [withParts(message, parts)];
  });
  return { ...request, messages };
}
