import type { MediaPart, Part } from "../ir/part.ts";
import type { TextRequest } from "../ir/request.ts";
import type { RequestedPart } from "./ask.ts";
import type { Caller } from "./caller.ts";

/** The media that a text request brings, with the caller's places of it. */
export function requestedMedia(request: TextRequest, caller?: Caller): RequestedPart[] {
  const found: RequestedPart[] = [];
  const visit = (parts: readonly Part[], under: string): void => {
    for (const [i, part] of parts.entries()) {
      const path = `${under}/${i}`;
      if (part.type === "result") visit(part.parts, `${path}/parts`);
      if (part.type === "media") found.push(toPart(part, caller?.origins?.locate(request, path) ?? path));
    }
  };
  for (const [i, message] of request.messages.entries()) visit(message.parts, `/messages/${i}/parts`);
  return found;
}

function toPart({ kind, source }: MediaPart, path: string): RequestedPart {
  const { mediaType } = source;
  return {
    kind,
    path,
    form: source.type,
    ...(mediaType !== undefined && { mediaType }),
    ...(source.type === "base64" && { bytes: bytesOf(source.data) }),
  };
}

/** Counts the bytes that base64 stands for. */
export const bytesOf = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
