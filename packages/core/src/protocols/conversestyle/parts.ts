import type { Trace } from "../../codec/caller-codec.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { extraFor, nonEmptyExtraOf } from "../../ir/extra.ts";
import type {
  CacheMark,
  CallPart,
  Extra,
  OpaquePart,
  Part,
  ReasoningPart,
  TextPart,
} from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { fromArguments, toArguments } from "../arguments.ts";
import { sealFrom, unsealedId } from "../seal.ts";
import { readCitation, writeCitations } from "./citations.ts";
import { type DocumentNamer, mediaKindOf, readMedia, writeMedia } from "./media.ts";
import { decodeResult, encodeResult } from "./results.ts";

export const protocol = "conversestyle";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
  dialect: Dialect;
  /** The nodes whose cache marks are written. */
  marked: ReadonlySet<object>;
  nameDocument: DocumentNamer;
}

/**
 * The members without a word in the IR: those beside the one that says what a block is, and those within that one,
 * under its name.
 */
export function extrasIn(
  block: JsonObject,
  kind: string,
  readFields: ReadonlySet<string>,
): { extra?: Extra } {
  const outer = nonEmptyExtraOf(protocol, block, new Set([kind])).extra?.fields;
  const inner = nonEmptyExtraOf(protocol, toObject(block[kind]), readFields).extra?.fields;
  if (!outer && !inner) return {};
  const fields = { ...outer, ...(inner && { [kind]: inner }) };
  return { extra: { protocol, fields, ...(inner && { partial: [kind] }) } };
}

/** A block of what `kind` holds, with the members that were read beside and within it. */
export function blockOf(kind: string, value: Json, extra: JsonObject): JsonObject {
  const { [kind]: inner, ...outer } = extra;
  return { [kind]: isObject(value) && isObject(inner) ? { ...value, ...inner } : value, ...outer };
}

/** The mark that a block stands for; nothing for other blocks, and for marks with more to them. */
export function markIn(json: Json): CacheMark | undefined {
  const { cachePoint, ...others } = toObject(json);
  const { type, ttl, ...more } = toObject(cachePoint);
  if (type !== "default" || Object.keys(others).length + Object.keys(more).length > 0) return undefined;
  if (ttl === undefined || ttl === null) return {};
  return ttl === "5m" || ttl === "1h" ? { ttl } : undefined;
}

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

/** The side that the content is of. A block in the turn of the wrong side is kept as it came. */
export type Side = "user" | "assistant" | "result";

/** The parts of a list of blocks. A mark belongs to the part before it. */
export function decodeContent(content: unknown, pointer: string, trace: Trace, side: Side): Part[] {
  const parts: Part[] = [];
  for (const [i, json] of toArray(content).entries()) {
    const last = parts.at(-1);
    const mark = side === "result" ? undefined : markIn(json);
    if (mark && last && last.type !== "opaque" && last.type !== "reasoning" && !last.cache) {
      last.cache = mark;
      continue;
    }
    const part = decodeBlock(json, `${pointer}/${i}`, trace, side);
    if (!part) continue;
    trace(part, `${pointer}/${i}`);
    parts.push(part);
  }
  return parts;
}

function decodeBlock(json: Json, pointer: string, trace: Trace, side: Side): Part | undefined {
  const block = toObject(json);
  if (typeof block.text === "string")
    return block.text === "" ? undefined : { type: "text", text: block.text, ...textExtras(block) };
  const kind = mediaKindOf(block);
  const media = kind && readMedia(kind, toObject(block[kind]));
  if (kind && media) return { ...media.part, ...extrasIn(block, kind, media.fields) };
  if (side === "user" && isObject(block.toolResult))
    return decodeResult(block, block.toolResult, `${pointer}/toolResult`, trace);
  if (side === "assistant") {
    if (isObject(block.toolUse) && isPlainCall(block.toolUse))
      return { ...callOf(block, block.toolUse), arguments: fromArguments(block.toolUse.input) };
    if (isObject(block.reasoningContent)) {
      const thought = readThought(block.reasoningContent);
      if (thought) return { ...thought, ...extrasIn(block, "reasoningContent", thoughtFields) };
      if (isEmptyThought(block.reasoningContent)) return undefined;
    }
    const cited = readCited(block);
    if (cited) return cited;
  }
  return { type: "opaque", protocol, value: json, ...readingOf(block) };
}

/** The text of blocks that only this wire knows, for others. */
function readingOf(block: JsonObject): Pick<OpaquePart, "instead"> {
  const { searchResult, guardContent, json } = block;
  const { title, source, content } = toObject(searchResult);
  const texts = [
    ...[title, source, ...toArray(content).map((one) => toObject(one).text)],
    toObject(toObject(guardContent).text).text,
  ];
  const lines = texts.map(toText).filter((line) => line !== "");
  const text = json === undefined || json === null ? lines.join("\n") : JSON.stringify(json);
  return text === "" ? {} : { instead: [{ type: "text", text }] };
}

export const textExtras = (block: JsonObject): { extra?: Extra } => extrasIn(block, "text", new Set());

const callFields = new Set(["toolUseId", "name", "input"]);

/** Checks whether the client runs the tool: a call with a type is one that the provider runs itself. */
export const isPlainCall = ({ type }: JsonObject): boolean => type === undefined || type === null;

/** The common members of a reply's call and a request's. */
export const callOf = (block: JsonObject, call: JsonObject): Omit<CallPart, "arguments"> => ({
  type: "call",
  ...unsealedId(toText(call.toolUseId)),
  name: toText(call.name),
  ...extrasIn(block, "toolUse", callFields),
});

const thoughtFields = new Set(["reasoningText", "redactedContent"]);

const isEmptyThought = ({ reasoningText, ...others }: JsonObject): boolean =>
  Object.keys(others).length === 0 && toText(toObject(reasoningText).text) === "";

/** The thought in a record; nothing for an empty one, or one with more to it. */
export function readThought({ reasoningText, redactedContent }: JsonObject): ReasoningPart | undefined {
  if (typeof redactedContent === "string" && redactedContent !== "")
    return { type: "reasoning", text: "", redacted: true, seal: sealFrom(protocol, redactedContent) };
  const { text, signature, ...more } = toObject(reasoningText);
  const [thought, value] = [toText(text), toText(signature)];
  if (Object.keys(more).length > 0 || (thought === "" && value === "")) return undefined;
  return { type: "reasoning", text: thought, ...(value !== "" && { seal: sealFrom(protocol, value) }) };
}

/** A text with its sources; nothing for a block with anything but texts. */
export function readCited(block: JsonObject): TextPart | undefined {
  const { content, citations } = toObject(block.citationsContent);
  const texts = toArray(content).map((one) => textOf(toObject(one).text));
  if (texts.length === 0 || texts.some((text) => text === undefined) || texts.join("") === "")
    return undefined;
  return {
    type: "text",
    text: texts.join(""),
    citations: toArray(citations).map(readCitation),
    ...extrasIn(block, "citationsContent", new Set(["content", "citations"])),
  };
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
      return ["toolResult", encodeResult(part, path, context)];
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
