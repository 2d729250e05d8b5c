import { holdsMedia } from "../../family/result-media.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CallPart, MediaPart, OpaquePart, ResultPart, TextPart } from "../../ir/index.ts";
import { isObject, type JsonObject, rest, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { parseArguments } from "../../stream/long-integers.ts";
import { fromArguments, toArguments } from "../arguments.ts";
import { type Context, fill, leftIn, opaque, protocol, type Reader, readSeal, toExtra } from "./context.ts";
import { readMedia, writeMedia } from "./media.ts";

const callPart = new Set(["functionCall", "thoughtSignature"]);
const resultPart = new Set(["functionResponse"]);
const callFields = new Set(["id", "name", "args", "partialArgs", "willContinue"]);
const resultFields = new Set(["id", "name", "response", "parts"]);

export function readCall(part: JsonObject, call: JsonObject, reader: Pick<Reader, "idOf">): CallPart {
  const seal = readSeal(part.thoughtSignature);
  return {
    type: "call",
    id: reader.idOf(call),
    name: toText(call.name),
    arguments: fromArguments(call.args),
    ...(seal && { seal }),
    ...toExtra({ ...rest(part, callPart), ...leftIn("functionCall", call, callFields) }),
  };
}

export function encodeCall(part: CallPart, path: string, { lose, traits }: Context): JsonObject {
  const { id, name, seal } = part;
  if (part.cache) lose(`${path}/cache`, "unsupported");
  if (part.freeform) lose(`${path}/freeform`, "unsupported");
  const args = toArguments(part.arguments, path, lose);
  const isSameProtocol = seal?.protocol === protocol && traits.reasoningBack !== false;
  if (seal && !isSameProtocol)
    lose(`${path}/seal`, "unsupported", "a signature that the model does not read");
  const call: JsonObject = {
    functionCall: { ...(traits.callIds !== false && { id }), name, args },
    ...(isSameProtocol && { thoughtSignature: seal.value }),
  };
  return fill(call, extraFor(protocol, part.extra, lose, path));
}

export function readResult(
  part: JsonObject,
  result: JsonObject,
  pointer: string,
  reader: Reader,
): ResultPart {
  const name = textOf(result.name);
  const { text, failed } = isObject(result.response)
    ? readResponse(result.response)
    : ({ text: "" } as ToolOutput);
  const parts: ResultPart["parts"] = text === "" ? [] : [{ type: "text", text } satisfies TextPart];
  toArray(result.parts).forEach((json, i) => {
    const inner: MediaPart | OpaquePart = readMedia(toObject(json)) ?? opaque(json);
    reader.trace(inner, `${pointer}/functionResponse/parts/${i}`);
    parts.push(inner);
  });
  return {
    type: "result",
    id: reader.idOf(result),
    ...(name && { name }),
    parts,
    ...(failed && { failed }),
    ...toExtra({ ...rest(part, resultPart), ...leftIn("functionResponse", result, resultFields) }),
  };
}

interface ToolOutput {
  text: string;
  failed?: true;
}

/**
 * The text in a response, bare where it stands alone under a name that servers read, and whether it reports a
 * failure.
 */
function readResponse(response: JsonObject): ToolOutput {
  const keys = Object.keys(response);
  const only = keys.length === 1 ? response[keys[0] as string] : undefined;
  if ((keys[0] === "output" || keys[0] === "result") && typeof only === "string") return { text: only };
  if (keys[0] === "error" && typeof only === "string") return { text: only, failed: true };
  if (keys[0] === "error" && only) return { text: JSON.stringify(only), failed: true };
  return { text: JSON.stringify(response), ...(response.error ? { failed: true } : {}) };
}

function writeResponse(text: string, failed: boolean): JsonObject {
  const parsed = text.trimStart().startsWith("{") ? parseArguments(text) : undefined;
  const value = isObject(parsed) ? parsed : undefined;
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
      const list = holdsMedia(inner, traits, true) ? media : behind;
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
