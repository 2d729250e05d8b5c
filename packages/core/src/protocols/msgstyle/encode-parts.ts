import type { Traits } from "../../codec/traits.ts";
import { holdsMedia } from "../../family/result-media.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CallPart, OpaquePart, Part, ReasoningPart, ResultPart, TextPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { Json, JsonObject } from "../../json/json.ts";
import { toArguments } from "../arguments.ts";
import { writeCitations } from "./citations.ts";
import { writeMedia } from "./encode-media.ts";
import { type Context, protocol } from "./parts.ts";

/** The block of a part. What the wire cannot say is left out and reported under its path. */
export function encodePart(part: Part, path: string, context: Context): JsonObject | undefined {
  const { lose, mark, traits } = context;
  if (part.type === "opaque") {
    if (part.protocol === protocol) return part.value as JsonObject;
    lose(path, "unsupported", `a part that only ${part.protocol} knows`);
    return undefined;
  }
  const block =
    part.type === "reasoning"
      ? encodeReasoning(part, path, lose, requiresReasoning(traits))
      : encodeKnown(part, path, context);
  if (!block) return undefined;
  const whole = { ...block, ...extraFor(protocol, part.extra, lose, path) };
  return part.type === "reasoning" ? whole : mark(whole, part.cache, path);
}

function encodeKnown(
  part: Exclude<Part, OpaquePart | ReasoningPart>,
  path: string,
  context: Context,
): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return encodeText(part, path, context.lose);
    case "media":
      return writeMedia(part, path, context.lose);
    case "call":
      return encodeCall(part, path, context.lose);
    case "result":
      return encodeResult(part, path, context);
  }
}

function encodeText(part: TextPart, path: string, lose: Lose): JsonObject | undefined {
  if (part.text.trim() === "") {
    lose(path, "unsupported", "text of nothing but white space is refused");
    return undefined;
  }
  if (part.refusal) lose(`${path}/refusal`, "approximated", "became plain text");
  if (part.logprobs) lose(`${path}/logprobs`, "unsupported");
  const citations = writeCitations(part.citations, path, lose);
  return { type: "text", text: part.text, ...(citations.length > 0 && { citations }) };
}

/** Checks whether the model refuses turns without their thoughts: such models sign none. */
export const requiresReasoning = ({ reasoningBack }: Traits): boolean =>
  reasoningBack === "calls" || reasoningBack === "always";

/**
 * Writes only reasoning that this wire signed, because the wire refuses foreign signatures, and thinking without one;
 * `unsigned` is for models that take it.
 */
function encodeReasoning(
  part: ReasoningPart,
  path: string,
  lose: Lose,
  unsigned: boolean,
): JsonObject | undefined {
  const { text, seal, redacted } = part;
  if (seal?.protocol !== protocol) {
    if (unsigned && !redacted) {
      if (seal) lose(`${path}/seal`, "unsupported");
      return { type: "thinking", thinking: text, signature: "" };
    }
    lose(path, "unsupported", "thinking without a signature of the target");
    return undefined;
  }
  return redacted
    ? { type: "redacted_thinking", data: seal.value }
    : { type: "thinking", thinking: text, signature: seal.value };
}

function encodeCall(part: CallPart, path: string, lose: Lose): JsonObject {
  if (part.seal) lose(`${path}/seal`, "unsupported");
  const input = toArguments(part.arguments, path, lose);
  return { type: "tool_use", id: part.id, name: part.name, input };
}

function encodeResult(part: ResultPart, path: string, context: Context): JsonObject {
  const content = part.parts.flatMap((inner, i) => {
    // Other media follow the result.
    if (inner.type === "media" && !holdsMedia(inner, context.traits)) return [];
    const block = encodePart(inner, `${path}/parts/${i}`, context);
    return block ? [block] : [];
  });
  return {
    type: "tool_result",
    tool_use_id: part.id,
    ...(content.length > 0 && { content: shorten(content) }),
    ...(part.failed && { is_error: true }),
  };
}

/** A list of blocks in the shortest form: a plain string where it is one text and nothing else. */
export function shorten(blocks: JsonObject[]): Json {
  const [only] = blocks;
  const plain = blocks.length === 1 && only?.type === "text" && Object.keys(only).length === 2;
  return plain ? (only.text as string) : blocks;
}
