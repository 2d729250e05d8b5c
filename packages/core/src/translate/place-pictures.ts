import type { AnyProvider } from "../codec/codec.ts";
import type { Traits } from "../codec/traits.ts";
import type { MediaPart, Message, Part, TextRequest, UserMessage } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type TraceCopy, withParts } from "./origins.ts";

/** The turn of a model that made pictures and said nothing. */
const PICTURES = "(The pictures follow.)";

const isPicture = (part: Part): part is MediaPart => part.type === "media" && part.kind === "image";

/**
 * Moves the pictures that the model made to the next turn of the user, for targets that take none in turns of the model:
 * the user may ask for changes to them. Those behind the last turn of the user stay.
 */
export function placePictures(
  request: TextRequest,
  { modelPictures }: Pick<AnyProvider, "modelPictures">,
  traits: Traits,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  const { messages } = request;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const holds = ({ role, parts }: Message, i: number): boolean =>
    role === "assistant" && i < last && parts.some(isPicture);
  if (!modelPictures || modelPictures(traits) || !messages.some(holds)) return request;

  let waiting: MediaPart[] = [];
  const placed = messages.map((message, i): Message => {
    const { role, parts } = message;
    if (holds(message, i)) {
      for (const [k, part] of (parts as Part[]).entries())
        if (isPicture(part))
          lose(`/messages/${i}/parts/${k}`, "approximated", "moved to the next turn of the user");
      waiting.push(...(parts as Part[]).filter(isPicture));
      const rest = (parts as Part[]).filter((part) => !isPicture(part));
      const isSilent = rest.every(({ type }) => type === "reasoning");
      return withParts(message, isSilent ? [...rest, { type: "text", text: PICTURES }] : rest, traceCopy);
    }
    if (role !== "user" || waiting.length === 0) return message;
    const pictures = waiting;
    waiting = [];
    return withParts(message, behindResults(parts, pictures), traceCopy);
  });
  return { ...request, messages: placed };
}

const behindResults = (parts: UserMessage["parts"], pictures: readonly MediaPart[]): Part[] => [
  ...parts.filter(({ type }) => type === "result"),
  ...pictures,
  ...parts.filter(({ type }) => type !== "result"),
];
