import { holdsMedia } from "../../family/result-media.ts";
import type { MediaPart, Part, ResultPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { parseArguments } from "../../stream/long-integers.ts";
import type { Context } from "./parts.ts";

/** Media of a result that the model does not take there. They follow in the same turn. */
export const mediaBehind = (part: ResultPart, { traits }: Pick<Context, "traits">): [MediaPart, number][] =>
  part.parts.flatMap((inner, i): [MediaPart, number][] =>
    inner.type === "media" && !holdsMedia(inner, traits) ? [[inner, i]] : [],
  );

/** A result, whose parts `encodePart` encodes. */
export function encodeResult(
  part: ResultPart,
  path: string,
  context: Context,
  encodePart: (part: Part, path: string, context: Context) => JsonObject[],
): JsonObject {
  const behind = new Set(mediaBehind(part, context).map(([inner]) => inner));
  const content = part.parts.flatMap((inner, i): JsonObject[] => {
    const place = `${path}/parts/${i}`;
    if (behind.has(inner as MediaPart)) {
      context.lose(place, "approximated", "moved behind the result");
      return [];
    }
    // Within a result there are no marks.
    const unmarked = { ...inner, cache: undefined };
    if (inner.type !== "opaque" && inner.cache) context.lose(`${place}/cache`, "unsupported");
    return encodePart(unmarked as typeof inner, place, context);
  });
  return {
    toolUseId: part.id,
    content: context.traits.resultJson ? content.map(asJson) : content,
    ...(part.failed && { status: "error" }),
  };
}

/** A text as JSON: some models take no other results. */
function asJson(block: JsonObject): JsonObject {
  if (typeof block.text !== "string") return block;
  const value: Json | undefined = parseArguments(block.text);
  return { json: isObject(value) ? value : { output: value ?? block.text } };
}
