import type { Trace } from "../../codec/caller-codec.ts";
import { holdsMedia } from "../../family/result-media.ts";
import type { MediaPart, ResultPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toText } from "../../json/json.ts";
import { parseArguments } from "../../stream/long-integers.ts";
import { unsealedId } from "../seal.ts";
import { type Context, decodeContent, encodePart, extrasIn } from "./parts.ts";

const resultFields = new Set(["toolUseId", "content", "status"]);

/** The answer to a call. Success is what a result without a status says too. */
export function decodeResult(
  block: JsonObject,
  record: JsonObject,
  pointer: string,
  trace: Trace,
): ResultPart {
  const { status } = record;
  const isKnown = status === undefined || status === null || status === "success" || status === "error";
  return {
    type: "result",
    id: unsealedId(toText(record.toolUseId)).id,
    parts: decodeContent(record.content, `${pointer}/content`, trace, "result") as ResultPart["parts"],
    ...(status === "error" && { failed: true }),
    ...extrasIn(block, "toolResult", isKnown ? resultFields : new Set(["toolUseId", "content"])),
  };
}

/** Media of a result that the model does not take there. They follow in the same turn. */
export const mediaBehind = (part: ResultPart, { traits }: Pick<Context, "traits">): [MediaPart, number][] =>
  part.parts.flatMap((inner, i): [MediaPart, number][] =>
    inner.type === "media" && !holdsMedia(inner, traits, true) ? [[inner, i]] : [],
  );

export function encodeResult(part: ResultPart, path: string, context: Context): JsonObject {
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
