import { extraFor } from "../../ir/extra.ts";
import type { Part, ReasoningPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type JsonObject } from "../../json/json.ts";
import { encodeCall, encodeResult } from "./encode-calls.ts";
import { writeMedia } from "./media.ts";
import { type Context, protocol } from "./parts.ts";

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
