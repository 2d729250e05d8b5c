import type { Trace } from "../../codec/caller-codec.ts";
import type { CacheMark, OpaquePart, Part, ReasoningPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { fromArguments } from "../arguments.ts";
import { sealFrom } from "../seal.ts";
import { decodeResult } from "./decode-results.ts";
import { mediaKindOf, readMedia } from "./media.ts";
import { callOf, extrasIn, isPlainCall, protocol, readCited, type Side, textExtras } from "./parts.ts";

/** The mark that a block stands for; nothing for other blocks, and for marks with more to them. */
export function markIn(json: Json): CacheMark | undefined {
  const { cachePoint, ...others } = toObject(json);
  const { type, ttl, ...more } = toObject(cachePoint);
  if (type !== "default" || Object.keys(others).length + Object.keys(more).length > 0) return undefined;
  if (ttl === undefined || ttl === null) return {};
  return ttl === "5m" || ttl === "1h" ? { ttl } : undefined;
}

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
  if (kind && media) return { ...media, ...extrasIn(block, kind, mediaFields) };
  if (side === "user" && isObject(block.toolResult)) {
    const content = decodeContent(block.toolResult.content, `${pointer}/toolResult/content`, trace, "result");
    return decodeResult(block, block.toolResult, content);
  }
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

const mediaFields = new Set(["format", "name", "source"]);
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
