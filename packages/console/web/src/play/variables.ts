import type { TextRequest } from "@manifold-gateway/core";
import type { Message } from "@manifold-gateway/core/ir";

const VARIABLE = /\{\{([\w-]+)\}\}/g;

/** The names in `{{…}}` of a request's texts, in their order. */
export const variablesOf = ({ messages }: Pick<TextRequest, "messages">): string[] => [
  ...new Set(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === "text" ? [...part.text.matchAll(VARIABLE)].map(([, name = ""]) => name) : [],
      ),
    ),
  ),
];

/** A request with the values of its variables; one without a value stays as it stands. */
export function withValues(request: TextRequest, values: Readonly<Record<string, string>>): TextRequest {
  if (Object.keys(values).length === 0) return request;
  const fill = (text: string): string =>
    text.replace(VARIABLE, (whole, name: string) => (Object.hasOwn(values, name) && values[name]) || whole);
  const filled = (message: Message): Message =>
    ({
      ...message,
      parts: message.parts.map((part) => (part.type === "text" ? { ...part, text: fill(part.text) } : part)),
    }) as Message;
  return { ...request, messages: request.messages.map(filled) };
}
