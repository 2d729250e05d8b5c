import type { JsonObject } from "../../content/request-content.ts";
import { pieces } from "../../model/pieces.ts";
import type { Chunk, Exchange } from "../protocol.ts";
import type { Body } from "./schema.ts";
import { blocksOf, ending, metadata, type WrittenBlock } from "./write.ts";

const event = (type: string, data: JsonObject, part?: Chunk["part"]): Chunk => ({
  event: type,
  data,
  ...(part ? { part } : {}),
});

/** The beginning of a block, which only calls have, and the deltas that make it whole. */
function unfolded({ block, text = "" }: WrittenBlock): { start?: JsonObject; deltas: JsonObject[] } {
  const { toolUse, reasoningContent } = block as {
    toolUse?: JsonObject;
    reasoningContent?: { reasoningText?: { signature: string } };
  };
  if (toolUse) {
    const { input: _, ...start } = toolUse;
    const fragments = text === "{}" ? [] : pieces(text);
    return { start: { toolUse: start }, deltas: fragments.map((input) => ({ toolUse: { input } })) };
  }
  if (!reasoningContent) return { deltas: pieces(text).map((piece) => ({ text: piece })) };
  const { reasoningText } = reasoningContent;
  if (!reasoningText) return { deltas: [{ reasoningContent }] };
  const { signature } = reasoningText;
  const thoughts = [...pieces(text).map((piece) => ({ text: piece })), { signature }];
  return { deltas: thoughts.map((thought) => ({ reasoningContent: thought })) };
}

/** messageStart · every block written and stopped · messageStop · metadata. */
export function stream(exchange: Exchange<Body>): Chunk[] {
  const blocks = blocksOf(exchange).flatMap((written, contentBlockIndex) => {
    const { start, deltas } = unfolded(written);
    return [
      ...(start ? [event("contentBlockStart", { start, contentBlockIndex })] : []),
      ...deltas.map((delta) => event("contentBlockDelta", { delta, contentBlockIndex }, "content")),
      event("contentBlockStop", { contentBlockIndex }),
    ];
  });
  return [
    event("messageStart", { role: "assistant" }),
    ...blocks,
    event("messageStop", ending(exchange), "done"),
    event("metadata", metadata(exchange), "done"),
  ];
}
