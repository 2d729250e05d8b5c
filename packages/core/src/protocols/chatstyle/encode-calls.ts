import type { ContentPart, Context } from "../../family/content.ts";
import { extraFor } from "../../ir/extra.ts";
import type { AssistantPart, CallPart, ResultPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toObject } from "../../json/json.ts";
import { toObjectText } from "../arguments.ts";
import { OPAQUE_CALL } from "./calls.ts";
import { encodeContent, joinedTexts, shorten, writeCache } from "./encode-parts.ts";
import { protocol } from "./parts.ts";

/** The call of an unknown kind that a part keeps; nothing where it keeps none. */
export const opaqueCallIn = (part: AssistantPart): Json | undefined =>
  part.type === "opaque" && part.protocol === protocol ? toObject(part.value)[OPAQUE_CALL] : undefined;

export function encodeCall(part: CallPart, path: string, { lose, traits }: Context): JsonObject {
  if (part.cache) lose(`${path}/cache`, "unsupported");
  const extra = extraFor(protocol, part.extra, lose, path);
  const { name } = part;
  const call: JsonObject = part.freeform
    ? { type: "custom", custom: { name, input: part.arguments } }
    : { type: "function", function: { name, arguments: toObjectText(part.arguments) } };
  const wire: JsonObject = { ...extra, id: part.id, ...call };
  if (!part.seal) return wire;
  if (part.seal.protocol === "genstyle" && (traits.reasoningBack === true || traits.callSignatures)) {
    const content = toObject(extra.extra_content);
    const google = { ...toObject(content.google), thought_signature: part.seal.value };
    wire.extra_content = { ...content, google };
  } else lose(`${path}/seal`, "unsupported");
  return wire;
}

/** A result as a message of its own, and the media that such a message cannot hold, with their paths. */
export function encodeResult(
  part: ResultPart,
  path: string,
  context: Context,
): { message: JsonObject; media: [part: ContentPart, path: string][] } {
  const { lose, traits } = context;
  const placed = part.parts.map((inner, i): [ContentPart, string] => [inner, `${path}/parts/${i}`]);
  const moves = ([inner]: [ContentPart, string]): boolean =>
    inner.type === "media" && traits.resultMedia !== true;
  const media = placed.filter(moves);
  for (const [, where] of media) lose(where, "approximated", "moved to a user message behind the results");
  const list = encodeContent(
    placed.filter((one) => !moves(one)),
    context,
  );
  // Many servers read a result as a string.
  const joined = traits.resultTexts === false ? joinedTexts(list, "\n") : undefined;
  if (joined !== undefined) lose(`${path}/parts`, "approximated", "several texts became one");
  let content = joined ?? shorten(list);
  if (content === "" && media.length > 0) content = "(The result is attached to the next message.)";
  if (part.failed) {
    lose(path, "approximated", "the failure is written in the text");
    const [first] = list;
    if (typeof content === "string") content = asError(content);
    else if (isObject(first) && typeof first.text === "string") first.text = asError(first.text);
  }
  return {
    media,
    message: {
      ...extraFor(protocol, part.extra, lose, path),
      role: "tool",
      tool_call_id: part.id,
      ...(part.name !== undefined && { name: part.name }),
      content,
      ...writeCache(part.cache, path, context),
    },
  };
}

const asError = (text: string): string => (/^\s*error\b/i.test(text) ? text : `Error: ${text}`);
