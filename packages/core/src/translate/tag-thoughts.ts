import type { Traits } from "../codec/traits.ts";
import type { Message, Part, ReasoningPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type TraceCopy, withParts } from "./origins.ts";

/** What begins the thoughts that a model writes into its text. */
export const openingOf = (tag: string): string => `<${tag}>`;
/** What ends them. */
export const closingOf = (tag: string): string => `</${tag}>`;

/** Writes the model's earlier thoughts as it wrote them, in its text, where it is given them again. */
export function tagThoughts(
  request: TextRequest,
  { thoughtTag: tag, reasoningBack }: Traits,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  const isThought = (part: Part): part is ReasoningPart => part.type === "reasoning" && part.text !== "";
  if (tag === undefined || !reasoningBack) return request;
  const messages = request.messages.map((message, i): Message => {
    if (message.role !== "assistant") return message;
    let tagged = "";
    const parts = message.parts.flatMap((part, k): typeof message.parts => {
      if (isThought(part)) {
        if (part.seal) lose(`/messages/${i}/parts/${k}/seal`, "unsupported");
        tagged += `${openingOf(tag)}\n${part.text}\n${closingOf(tag)}\n\n`;
        return [];
      }
      if (tagged === "") return [part];
      const text = { ...(part.type === "text" ? part : { type: "text" as const }), text: tagged };
      tagged = "";
      if (part.type !== "text") return [text, part];
      text.text += part.text;
      traceCopy(text, part);
      return [text];
    });
    if (tagged !== "") parts.push({ type: "text", text: tagged });
    return withParts(message, parts, traceCopy);
  });
  return { ...request, messages };
}
