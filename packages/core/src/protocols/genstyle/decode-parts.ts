import { extraOf } from "../../ir/extra.ts";
import type { Part, TextPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, rest, textOf, toObject, toText } from "../../json/json.ts";
import { readCall, readResult } from "./decode-calls.ts";
import { readMedia } from "./media.ts";
import { opaque, protocol, type Reader, readSeal, type Side } from "./parts.ts";

const textFields = new Set(["text", "thought", "thoughtSignature"]);

/** The IR's parts for one part of the wire: two if a visible text carries a signature, none if it is empty. */
export function decodePart(json: Json, side: Side, pointer: string, reader: Reader): Part[] {
  const parts = readPart(json, side, pointer, reader);
  for (const part of parts) reader.trace(part, pointer);
  return parts;
}

function readPart(json: Json, side: Side, pointer: string, reader: Reader): Part[] {
  const part = toObject(json);
  const { functionCall: call, functionResponse: result } = part;
  if (isObject(call) && toText(call.name) !== "" && side === "assistant")
    return [readCall(part, call, reader)];
  if (isObject(result) && side === "user") return [readResult(part, result, pointer, reader)];
  const media = part.thought === true ? undefined : readMedia(part);
  if (media) return [media];
  const bare = !rest(part, textFields);
  if (part.text === undefined && !bare) return [opaque(json)];
  if (side === "assistant") return readAssistantPart(part);
  return part.thought === true && toText(part.text) !== "" ? [opaque(json)] : readUserText(part);
}

function readUserText(part: JsonObject): TextPart[] {
  const text = toText(part.text);
  // A part that only the model can produce does not belong in a user message; it is kept as it came.
  return text === "" ? [] : [{ type: "text", text, ...extraOf(protocol, part, new Set(["text"])) }];
}

function readAssistantPart(part: JsonObject): Part[] {
  const text = toText(part.text);
  const seal = readSeal(part.thoughtSignature);
  const extra = extraOf(protocol, part, textFields);
  if (part.thought !== true) {
    const parts: Part[] = text === "" ? [] : [{ type: "text", text, ...extra }];
    return seal ? [...parts, { type: "reasoning", text: "", seal }] : parts;
  }
  if (text === "" && !seal) return [];
  // Another wire's withheld thoughts travel as a seal without any text.
  const redacted = seal && seal.protocol !== protocol && textOf(part.text) === undefined;
  return [{ type: "reasoning", text, ...(redacted && { redacted: true }), ...(seal && { seal }), ...extra }];
}
