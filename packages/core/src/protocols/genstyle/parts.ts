import { extraFor, extraOf } from "../../ir/extra.ts";
import type { Part, ReasoningPart, TextPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, rest, textOf, toObject, toText } from "../../json/json.ts";
import { encodeCall, encodeResult, readCall, readResult } from "./calls.ts";
import { type Context, opaque, protocol, type Reader, readSeal, type Side } from "./context.ts";
import { readMedia, writeMedia } from "./media.ts";

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

/** The wire's parts of one part. What it cannot say is left out and reported under `path`. */
export function encodePart(part: Part, path: string, context: Context): JsonObject[] {
  const { lose } = context;
  switch (part.type) {
    case "text": {
      if (part.text === "") return [];
      for (const key of ["cache", "citations", "logprobs"] as const)
        if (part[key] !== undefined) lose(`${path}/${key}`, "unsupported");
      if (part.refusal) lose(`${path}/refusal`, "approximated", "became plain text");
      return [{ text: part.text, ...extraFor(protocol, part.extra, lose, path) }];
    }
    case "reasoning":
      if (context.traits.reasoningBack !== false) return encodeReasoning(part, path, lose);
      lose(path, "unsupported", "the model accepts no earlier reasoning");
      return [];
    case "call":
      return [encodeCall(part, path, context)];
    case "result":
      return encodeResult(part, path, context);
    case "media": {
      const written = writeMedia(part, path, context);
      return written ? [written] : [];
    }
    case "opaque":
      if (part.protocol === protocol && isObject(part.value)) return [part.value];
      lose(path, "unsupported", "a part that only another protocol knows");
      return [];
  }
}

function encodeReasoning(part: ReasoningPart, path: string, lose: Lose): JsonObject[] {
  const { text, redacted } = part;
  const seal = part.seal?.protocol === protocol ? part.seal.value : undefined;
  if (text === "" && seal === undefined) {
    lose(path, "unsupported", "thoughts without text or a signature of the target");
    return [];
  }
  if (part.seal && seal === undefined) lose(`${path}/seal`, "unsupported", "a signature of another protocol");
  if (redacted) lose(`${path}/redacted`, "unsupported");
  const extra = extraFor(protocol, part.extra, lose, path);
  const signature: JsonObject = seal === undefined ? {} : { thoughtSignature: seal };
  return [text === "" ? { text, ...signature, ...extra } : { text, thought: true, ...signature, ...extra }];
}
