import { holdsMedia } from "../../family/result-media.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CallPart, ResultPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { parseArguments } from "../../stream/long-integers.ts";
import { toArguments } from "../arguments.ts";
import { readResponse } from "./decode-calls.ts";
import { writeMedia } from "./media.ts";
import { type Context, fill, protocol } from "./parts.ts";

export function encodeCall(part: CallPart, path: string, { lose, traits }: Context): JsonObject {
  const { id, name, seal } = part;
  if (part.cache) lose(`${path}/cache`, "unsupported");
  if (part.freeform) lose(`${path}/freeform`, "unsupported");
  const args = toArguments(part.arguments, path, lose);
  const isReadable = seal?.protocol === protocol && traits.reasoningBack !== false;
  if (seal && !isReadable) lose(`${path}/seal`, "unsupported", "a signature that the model does not read");
  const call: JsonObject = {
    functionCall: { ...(traits.callIds !== false && { id }), name, args },
    ...(isReadable && { thoughtSignature: seal.value }),
  };
  return fill(call, extraFor(protocol, part.extra, lose, path));
}

/** Checks for a member `$ref` at any depth, which the vendor reads as the name of a medium of the response. */
const holdsReference = (value: Json): boolean =>
  Array.isArray(value)
    ? value.some(holdsReference)
    : isObject(value) && (Object.hasOwn(value, "$ref") || Object.values(value).some(holdsReference));

function writeResponse(text: string, failed: boolean): JsonObject {
  const parsed = text.trimStart().startsWith("{") ? parseArguments(text) : undefined;
  const value = isObject(parsed) && !holdsReference(parsed) ? parsed : undefined;
  if (!failed) return value ?? { output: text };
  if (value?.error && Object.keys(value).length > 1) return value;
  return { error: value && !value.error && JSON.stringify(value) === text ? value : text };
}

/** The response to a call, and the media that it cannot hold, which follow it. */
export function encodeResult(part: ResultPart, path: string, context: Context): JsonObject[] {
  const { lose, traits, nameOf } = context;
  if (part.cache) lose(`${path}/cache`, "unsupported");
  if (part.freeform) lose(`${path}/freeform`, "unsupported");
  const texts: string[] = [];
  const media: JsonObject[] = [];
  const behind: JsonObject[] = [];
  part.parts.forEach((inner, i) => {
    const where = `${path}/parts/${i}`;
    if (inner.type === "text") {
      if (media.length + behind.length > 0 && inner.text !== "")
        lose(where, "approximated", "moved before the media");
      for (const key of Object.keys(inner))
        if (key !== "type" && key !== "text") lose(`${where}/${key}`, "unsupported");
      if (inner.text !== "") texts.push(inner.text);
    } else if (inner.type === "opaque") {
      if (inner.protocol === protocol && isObject(inner.value)) media.push(inner.value);
      else lose(where, "unsupported", "a part that only another protocol knows");
    } else {
      const written = writeMedia(inner, where, context);
      const list = holdsMedia(inner, traits) ? media : behind;
      if (written) list.push(written);
    }
  });
  if (texts.length > 1) lose(`${path}/parts`, "approximated", "several texts became one");
  if (behind.length > 0) lose(`${path}/parts`, "approximated", "media follow the results");
  const text = texts.join("\n");
  const response = writeResponse(text, part.failed === true);
  const back = readResponse(response);
  if (back.text !== text) lose(`${path}/parts`, "approximated", "JSON is written as an object");
  if (back.failed !== part.failed)
    lose(`${path}/failed`, "approximated", "only the text says that it failed");
  const result: JsonObject = {
    functionResponse: {
      ...(traits.callIds !== false && { id: part.id }),
      name: nameOf(part.id) ?? part.name ?? "function",
      response,
      ...(media.length > 0 && { parts: media }),
    },
  };
  return [fill(result, extraFor(protocol, part.extra, lose, path)), ...behind];
}
