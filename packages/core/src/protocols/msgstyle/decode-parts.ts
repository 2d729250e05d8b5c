import type { Trace } from "../../codec/caller-codec.ts";
import type { OpaquePart, Part, ResultPart, TextPart } from "../../ir/index.ts";
import { type Json, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { fromArguments } from "../arguments.ts";
import { sealFrom, unsealedId } from "../seal.ts";
import { readCitation } from "./citations.ts";
import { readSource } from "./decode-media.ts";
import { blockFields, callOf, extrasOf, marksOf, protocol } from "./parts.ts";
import { readingOf } from "./sources.ts";

/** The types of content in a result that the IR has words for. */
const resultContent = new Set(["text", "image", "document"]);

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
