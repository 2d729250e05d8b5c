import type { CallPart, MediaPart, OpaquePart, ResultPart, TextPart } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  rest,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { fromArguments } from "../arguments.ts";
import { readMedia } from "./media.ts";
import { leftIn, opaque, type Reader, readSeal, toExtra } from "./parts.ts";

const callPart = new Set(["functionCall", "thoughtSignature"]);
const resultPart = new Set(["functionResponse"]);
const callFields = new Set(["id", "name", "args", "partialArgs", "willContinue"]);
const resultFields = new Set(["id", "name", "response", "parts"]);

export const isCall = (part: Json): boolean => toObject(part).functionCall !== undefined;
export const isResult = (part: Json): boolean => toObject(part).functionResponse !== undefined;

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
export function readResponse(response: JsonObject): ToolOutput {
  const keys = Object.keys(response);
  const only = keys.length === 1 ? response[keys[0] as string] : undefined;
  if ((keys[0] === "output" || keys[0] === "result") && typeof only === "string") return { text: only };
  if (keys[0] === "error" && typeof only === "string") return { text: only, failed: true };
  if (keys[0] === "error" && only) return { text: JSON.stringify(only), failed: true };
  return { text: JSON.stringify(response), ...(response.error ? { failed: true } : {}) };
}
