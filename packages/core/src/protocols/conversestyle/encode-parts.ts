import { extraFor } from "../../ir/extra.ts";
import type { CacheMark, OpaquePart, Part, ReasoningPart, TextPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, toObject } from "../../json/json.ts";
import { toArguments } from "../arguments.ts";
import { writeCitations } from "./citations.ts";
import { encodeResult } from "./encode-results.ts";
import { writeMedia } from "./media.ts";
import { blockOf, type Context, protocol } from "./parts.ts";

/** The block that marks what stands before it, where the mark is kept. */
export function marksFor(
  node: { cache?: CacheMark | undefined },
  path: string,
  { lose, marked }: Pick<Context, "lose" | "marked">,
): JsonObject[] {
  if (!node.cache) return [];
  if (marked.has(node)) return [{ cachePoint: { type: "default", ...node.cache } }];
  lose(`${path}/cache`, "unsupported", "the target takes fewer marks");
  return [];
}

/** The blocks of a part, with its mark. What the wire cannot say is left out and reported under its path. */
export function encodePart(part: Part, path: string, context: Context): JsonObject[] {
  const { lose } = context;
  if (part.type === "opaque") {
    if (part.protocol === protocol) return [toObject(part.value)];
    lose(path, "unsupported", `a part that only ${part.protocol} knows`);
    return [];
  }
  const written = writePart(part, path, context);
  if (!written) return [];
  const block = blockOf(...written, extraFor(protocol, part.extra, lose, path));
  return part.type === "reasoning" ? [block] : [block, ...marksFor(part, path, context)];
}

function writePart(
  part: Exclude<Part, OpaquePart>,
  path: string,
  context: Context,
): [kind: string, value: Json] | undefined {
  switch (part.type) {
    case "text":
      return encodeText(part, path, context.lose);
    case "reasoning":
      return encodeReasoning(part, path, context);
    case "media": {
      const media = writeMedia(part, path, context);
      return media && [part.kind, media];
    }
    case "call": {
      if (part.seal) context.lose(`${path}/seal`, "unsupported");
      const input = toArguments(part.arguments, path, context.lose);
      return ["toolUse", { toolUseId: part.id, name: part.name, input }];
    }
    case "result":
      return ["toolResult", encodeResult(part, path, context, encodePart)];
  }
}

function encodeText(part: TextPart, path: string, lose: Lose): [kind: string, value: Json] | undefined {
  if (part.text.trim() === "") {
    lose(path, "unsupported", "text of nothing but white space is refused");
    return undefined;
  }
  if (part.refusal) lose(`${path}/refusal`, "approximated", "became plain text");
  if (part.logprobs) lose(`${path}/logprobs`, "unsupported");
  const citations = writeCitations(part.citations, path, lose);
  if (citations.length === 0) return ["text", part.text];
  return ["citationsContent", { content: [{ text: part.text }], citations }];
}

/** Thoughts that this wire signed; others only for a model that is known to take them back. */
function encodeReasoning(
  { text, seal, redacted }: ReasoningPart,
  path: string,
  { lose, traits }: Context,
): [kind: string, value: Json] | undefined {
  if (seal?.protocol === protocol && traits.reasoningBack !== false) {
    const thought: JsonObject = redacted
      ? { redactedContent: seal.value }
      : { reasoningText: { text, signature: seal.value } };
    return ["reasoningContent", thought];
  }
  if (!traits.reasoningBack || text === "") {
    lose(path, "unsupported", "thinking without a signature of the target");
    return undefined;
  }
  if (seal) lose(`${path}/seal`, "unsupported", "a signature of another protocol");
  if (redacted) lose(`${path}/redacted`, "unsupported");
  return ["reasoningContent", { reasoningText: { text } }];
}
