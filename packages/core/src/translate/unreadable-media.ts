import type { Traits } from "../codec/traits.ts";
import type { Message, Part, ResultPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type TraceCopy, withParts } from "./origins.ts";

/**
 * Replaces media in tool results that the model does not read. Otherwise one image in its history would make all further
 * requests of an agent fail. Media in the caller's own messages stay, because an answer without them would be wrong.
 */
export function replaceUnreadableMedia(
  request: TextRequest,
  { media: kinds }: Traits,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  const isUnread = (part: Part): boolean => part.type === "media" && kinds?.includes(part.kind) === false;
  const concerns = (part: Part): boolean => part.type === "result" && part.parts.some(isUnread);
  if (!kinds || !request.messages.some(({ parts }) => (parts as Part[]).some(concerns))) return request;

  const readable = (result: ResultPart, path: string): ResultPart => {
    const parts = result.parts.map((part, i): ResultPart["parts"][number] => {
      if (part.type !== "media" || !isUnread(part)) return part;
      lose(`${path}/parts/${i}`, "unsupported", `the model does not read ${part.kind}s`);
      return { type: "text", text: `(The result has media that the model does not read: ${part.kind}.)` };
    });
    const copy = { ...result, parts };
    traceCopy(copy, result);
    return copy;
  };
  const messages = request.messages.map((message, i): Message => {
    const parts = (message.parts as Part[]).map((part, k) =>
      part.type === "result" && concerns(part) ? readable(part, `/messages/${i}/parts/${k}`) : part,
    );
    return withParts(message, parts, traceCopy);
  });
  return { ...request, messages };
}
