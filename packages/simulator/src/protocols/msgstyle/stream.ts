import type { JsonObject } from "../../content/request-content.ts";
import { pieces } from "../../model/pieces.ts";
import type { Chunk, Exchange } from "../protocol.ts";
import type { Body } from "./schema.ts";
import { blocksOf, ending, messageOf, usageOf, type WrittenBlock } from "./write.ts";

const event = (type: string, rest: JsonObject, part?: Chunk["part"]): Chunk => ({
  event: type,
  data: { type, ...rest },
  ...(part ? { part } : {}),
});

/** The beginning of a block, and the deltas that make it whole. */
function unfolded({ block, args }: WrittenBlock): { start: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case "text":
      return {
        start: { ...block, text: "" },
        deltas: pieces(String(block.text)).map((text) => ({ type: "text_delta", text })),
      };
    case "thinking":
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          ...pieces(String(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block.signature },
        ],
      };
    case "tool_use": {
      const fragments = args === undefined || args === "{}" ? [] : pieces(args);
      const deltas = ["", ...fragments].map((text) => ({ type: "input_json_delta", partial_json: text }));
      return { start: { ...block, input: {} }, deltas };
    }
    default:
      return { start: block, deltas: [] };
  }
}

/** message_start · ping · every block started, written and stopped · message_delta · message_stop. */
export function stream(exchange: Exchange<Body>): Chunk[] {
  const usage = exchange.usage ? usageOf(exchange.usage) : undefined;
  const open = { stop_reason: null, stop_sequence: null, stop_details: null };
  const message = {
    ...messageOf(exchange, [], open),
    ...(usage ? { usage: { ...usage, output_tokens: 1, output_tokens_details: null } } : {}),
  };
  const blocks = blocksOf(exchange).flatMap((written, index) => {
    const { start, deltas } = unfolded(written);
    return [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta }, "content")),
      event("content_block_stop", { index }),
    ];
  });
  const { cache_creation: _, service_tier: __, inference_geo: ___, speed: ____, ...counted } = usage ?? {};
  return [
    event("message_start", { message }),
    event("ping", {}),
    ...blocks,
    event("message_delta", {
      delta: { ...ending(exchange), container: null },
      ...(usage ? { usage: counted } : {}),
    }),
    event("message_stop", {}, "done"),
  ];
}
