import { ignoreLosses } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { toArguments } from "../arguments.ts";

/** A block that grows by deltas. Arguments are text that means JSON, until the block is whole. */
export interface Growing {
  block: JsonObject;
  fragments: string;
}

/** The block in which a delta without a start belongs. */
export function impliedBlock(delta: JsonObject): JsonObject {
  if (delta.reasoningContent !== undefined) {
    const isWithheld = toObject(delta.reasoningContent).redactedContent !== undefined;
    return { reasoningContent: isWithheld ? { redactedContent: "" } : {} };
  }
  if (delta.image !== undefined) return { image: {} };
  return typeof delta.text === "string" || delta.citation !== undefined ? { text: "" } : {};
}

/** Adds a delta to a block. Of kinds unknown here, the latest value counts. */
export function grow(growing: Growing, delta: JsonObject): void {
  const { block } = growing;
  for (const [name, value] of Object.entries(delta)) {
    const record = toObject(value);
    if (name === "text") block.text = toText(block.text) + toText(value);
    else if (name === "toolUse") growing.fragments += toText(record.input);
    else if (name === "citation") cite(block, value);
    else if (name === "reasoningContent") addThought(block, record);
    else if (name === "image") block.image = { ...toObject(block.image), ...record };
    else if (name === "toolResult") {
      const result = toObject(block.toolResult);
      block.toolResult = { ...result, content: [...toArray(result.content), ...toArray(value)] };
    } else block[name] = value;
  }
}

/** Where the citations of a text wait until the block is whole. */
const CITATIONS = "citationsContent";

function cite(block: JsonObject, citation: Json): void {
  block[CITATIONS] = { citations: [...toArray(toObject(block[CITATIONS]).citations), citation] };
}

function addThought(block: JsonObject, delta: JsonObject): void {
  const { text, signature, ...others } = delta;
  const thought = toObject(block.reasoningContent);
  const textBlock = toObject(thought.reasoningText);
  const more: JsonObject = {
    ...(typeof text === "string" && { text: toText(textBlock.text) + text }),
    ...(signature !== undefined && { signature }),
  };
  block.reasoningContent = {
    ...thought,
    ...others,
    ...(Object.keys(more).length > 0 && { reasoningText: { text: "", ...textBlock, ...more } }),
  };
}

/** The block that has grown: its arguments read, and a cited text with its sources. */
export function wholeOf({ block, fragments }: Growing): JsonObject {
  if (fragments.trim() !== "" && isObject(block.toolUse))
    return { ...block, toolUse: { ...block.toolUse, input: toArguments(fragments, "", ignoreLosses) } };
  const { text, [CITATIONS]: cited, ...others } = block;
  if (typeof text !== "string" || !isObject(cited)) return block;
  return { ...others, [CITATIONS]: { content: [{ text }], ...cited } };
}
