import type { Message, Part, Protocol, ResultPart, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { type TraceCopy, withParts } from "./origins.ts";

/**
 * Replaces parts that only another protocol can express by their plain fallback, if they have one: without its sources,
 * a question would get the answer to another question.
 */
export function replaceForeign(
  request: TextRequest,
  protocol: Protocol,
  lose: Lose,
  traceCopy: TraceCopy,
): TextRequest {
  const isForeign = (part: Part): boolean =>
    part.type === "opaque" && part.instead !== undefined && part.protocol !== protocol;
  const concerns = (part: Part): boolean =>
    isForeign(part) || (part.type === "result" && part.parts.some(isForeign));

  const replacementOf = (part: Part, place: string): Part[] => {
    if (!concerns(part)) return [part];
    if (part.type === "result") {
      const parts = part.parts.flatMap((inner, i) => replacementOf(inner, `${place}/parts/${i}`));
      const copy = { ...part, parts: parts as ResultPart["parts"] };
      traceCopy(copy, part);
      return [copy];
    }
    lose(place, "approximated", "written as plain content");
    const instead = part.type === "opaque" ? (part.instead ?? []) : [];
    return instead.map((inner) => {
      const copy = { ...inner };
      traceCopy(copy, part);
      return copy;
    });
  };

  if (!request.messages.some(({ parts }) => (parts as Part[]).some(concerns))) return request;
  const messages = request.messages.map((message, i): Message => {
    const parts = (message.parts as Part[]).flatMap((part, j) =>
      replacementOf(part, `/messages/${i}/parts/${j}`),
    );
    return withParts(message, parts, traceCopy);
  });
  return { ...request, messages };
}

/**
 * Removes turns that would lose all their parts at the target, so that later steps see the order of turns as it is sent.
 */
export function withoutForeignTurns(request: TextRequest, protocol: Protocol, lose: Lose): TextRequest {
  const isLost = (part: Part): boolean =>
    part.type === "opaque" && part.protocol !== protocol && part.instead === undefined;
  const isForeign = ({ role, parts }: Message): boolean =>
    role !== "system" && parts.length > 0 && (parts as Part[]).every(isLost);
  if (!request.messages.some(isForeign)) return request;
  const messages = request.messages.filter((message, i) => {
    if (!isForeign(message)) return true;
    lose(`/messages/${i}`, "unsupported", "there is nothing to say in it");
    for (const j of message.parts.keys()) lose(`/messages/${i}/parts/${j}`, "unsupported");
    return false;
  });
  return { ...request, messages };
}
