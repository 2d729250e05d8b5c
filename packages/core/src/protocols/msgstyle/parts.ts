import type { Trace } from "../../codec/caller-codec.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { holdsMedia } from "../../family/result-media.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type {
  CacheMark,
  CallPart,
  Extra,
  OpaquePart,
  Part,
  ReasoningPart,
  ResultPart,
  TextPart,
} from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { fromArguments, toArguments } from "../arguments.ts";
import { sealFrom, unsealedId } from "../seal.ts";
import { readCitation, writeCitations } from "./citations.ts";
import { readSource, writeMedia } from "./media.ts";
import { readingOf } from "./sources.ts";

export const protocol = "msgstyle";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
  dialect: Dialect;
  /** Puts a cache mark on a wire node. */
  mark(node: JsonObject, cache: CacheMark | undefined, path: string): JsonObject;
}

/** The members without a word in the IR. `null` is absent on this wire. */
export function extrasOf(record: JsonObject, knownFields: ReadonlySet<string>): { extra?: Extra } {
  const { extra } = extraOf(protocol, record, knownFields);
  if (!extra) return {};
  const fields = Object.fromEntries(Object.entries(extra.fields).filter(([, value]) => value !== null));
  return Object.keys(fields).length > 0 ? { extra: { protocol, fields } } : {};
}

/** The cache mark and the unknown members of a block or tool. A mark with more to it is kept as it is. */
export function marksOf(
  record: JsonObject,
  knownFields: ReadonlySet<string>,
): { cache?: CacheMark; extra?: Extra } {
  const { cache_control: mark, ...others } = record;
  if (!isObject(mark)) return extrasOf(others, knownFields);
  const { type, ttl, ...more } = mark;
  const plain = type === "ephemeral" && Object.keys(more).length === 0;
  if (!plain || !(ttl === undefined || ttl === null || ttl === "5m" || ttl === "1h"))
    return extrasOf(record, knownFields);
  return { cache: ttl ? { ttl } : {}, ...extrasOf(others, knownFields) };
}

const blockFields = {
  text: new Set(["type", "text", "citations"]),
  media: new Set(["type", "source", "title"]),
  thinking: new Set(["type", "thinking", "signature"]),
  redacted: new Set(["type", "data"]),
  call: new Set(["type", "id", "name", "input"]),
  result: new Set(["type", "tool_use_id", "content", "is_error"]),
};

/** The types of content in a result that the IR has words for. */
const resultContent = new Set(["text", "image", "document"]);

/** The common members of a reply's block and a request's, beside their content. A direct caller is every caller. */
export function callOf(block: JsonObject): Omit<CallPart, "arguments"> {
  const { caller, ...others } = block;
  const direct = toObject(caller).type === "direct";
  return {
    type: "call",
    ...unsealedId(toText(block.id)),
    name: toText(block.name),
    ...marksOf(direct ? others : block, blockFields.call),
  };
}

export const textExtras = (block: JsonObject): { extra?: Extra } => extrasOf(block, blockFields.text);

/** The parts of a message's content. A plain string and a list of one text are alike. */
export function decodeContent(content: unknown, pointer: string, trace: Trace, inResult = false): Part[] {
  if (typeof content === "string") {
    if (content === "") return [];
    const part: TextPart = { type: "text", text: content };
    trace(part, pointer);
    return [part];
  }
  return toArray(content).flatMap((block, i) => {
    const part = decodeBlock(block, `${pointer}/${i}`, trace, inResult);
    if (part) trace(part, `${pointer}/${i}`);
    return part ? [part] : [];
  });
}

function decodeBlock(json: Json, pointer: string, trace: Trace, inResult: boolean): Part | undefined {
  const block = toObject(json);
  const opaque: OpaquePart = { type: "opaque", protocol, value: json, ...readingOf(block) };
  if (inResult && !resultContent.has(toText(block.type))) return opaque;
  switch (block.type) {
    case "text": {
      const text = toText(block.text);
      if (text === "") return undefined;
      const citations = toArray(block.citations).map(readCitation);
      return {
        type: "text",
        text,
        ...(citations.length > 0 && { citations }),
        ...marksOf(block, blockFields.text),
      };
    }
    case "image":
    case "document": {
      const source = readSource(block.source);
      if (!source) break;
      const name = block.type === "document" ? textOf(block.title) : undefined;
      return {
        type: "media",
        kind: block.type,
        source,
        ...(name !== undefined && { name }),
        ...marksOf(block, blockFields.media),
      };
    }
    case "thinking": {
      const [text, value] = [toText(block.thinking), toText(block.signature)];
      if (text === "" && value === "") return undefined;
      const seal = value === "" ? {} : { seal: sealFrom(protocol, value) };
      return { type: "reasoning", text, ...seal, ...extrasOf(block, blockFields.thinking) };
    }
    case "redacted_thinking": {
      const seal = sealFrom(protocol, toText(block.data));
      return { type: "reasoning", text: "", redacted: true, seal, ...extrasOf(block, blockFields.redacted) };
    }
    case "tool_use":
      return { ...callOf(block), arguments: fromArguments(block.input) };
    case "tool_result":
      return {
        type: "result",
        id: unsealedId(toText(block.tool_use_id)).id,
        parts: decodeContent(block.content, `${pointer}/content`, trace, true) as ResultPart["parts"],
        ...(block.is_error === true && { failed: true }),
        ...marksOf(block, blockFields.result),
      };
  }
  return opaque;
}

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
      ? encodeReasoning(part, path, lose, insists(traits))
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
export const insists = ({ reasoningBack }: Traits): boolean =>
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
    if (inner.type === "media" && !holdsMedia(inner, context.traits, true)) return [];
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
