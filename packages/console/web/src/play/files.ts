import type { Message, Part } from "@manifold-gateway/core/ir";
import type { Draft } from "./draft.ts";

const isInline = (part: Part): boolean => part.type === "media" && part.source.type === "base64";

/** A draft without the files in it, for places that are too small for them, and how many they were. */
export function withoutFiles(draft: Draft): { draft: Draft; count: number } {
  let count = 0;
  const strip = <P extends Part>(parts: P[]): P[] =>
    parts.flatMap((part) => {
      if (isInline(part)) {
        count += 1;
        return [];
      }
      return part.type === "result" ? [{ ...part, parts: strip(part.parts) }] : [part];
    });
  const messages = draft.request.messages.map(
    (one) => ({ ...one, parts: strip<Part>(one.parts) }) as Message,
  );
  // Bodies that were typed hold the files as well.
  const models = count === 0 ? draft.models : draft.models.map((one) => ({ ...one, bodies: {} }));
  return { draft: { ...draft, models, request: { ...draft.request, messages } }, count };
}
