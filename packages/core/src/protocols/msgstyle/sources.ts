import type { MediaPart, TextPart } from "../../ir/index.ts";
import { type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { readSource } from "./decode-media.ts";

/**
 * Reads a search result or a document made of blocks as text, for protocols without such blocks: its title, and then
 * its contents, in their order; of a tool that was found, that it is there; of a compacted conversation, its summary.
 * Nothing for blocks that hold nothing to read.
 */
export function readingOf(block: JsonObject): { instead?: (TextPart | MediaPart)[] } {
  const { type, title, source, context } = block;
  if (type === "tool_reference" && toText(block.tool_name) !== "")
    return { instead: [{ type: "text", text: `The tool ${toText(block.tool_name)} can be called.` }] };
  if (type === "compaction" && toText(block.content) !== "")
    return { instead: [{ type: "text", text: toText(block.content) }] };
  const isResult = type === "search_result";
  if (!isResult && !(type === "document" && toObject(source).type === "content")) return {};
  const content = isResult ? block.content : toObject(source).content;
  const held = typeof content === "string" ? [textPart(content)] : toArray(content).map(readBlock);
  const parts = held.filter((part) => part !== undefined);
  if (parts.length === 0) return {};
  const name = [title, isResult ? source : context].map(toText).filter((line) => line !== "");
  return { instead: name.length > 0 ? [{ type: "text", text: name.join("\n") }, ...parts] : parts };
}

const textPart = (text: string): TextPart | undefined => (text === "" ? undefined : { type: "text", text });

function readBlock(json: unknown): TextPart | MediaPart | undefined {
  const { type, text, source } = toObject(json);
  if (type === "text") return textPart(toText(text));
  const read = type === "image" ? readSource(source) : undefined;
  return read && { type: "media", kind: "image", source: read };
}
