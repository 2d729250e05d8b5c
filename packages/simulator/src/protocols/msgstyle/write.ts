import { digest, seal } from "../../content/digest.ts";
import type { JsonObject, Reply } from "../../content/request-content.ts";
import type { Usage } from "../../content/tokens.ts";
import type { Exchange } from "../protocol.ts";
import type { Body } from "./schema.ts";

const STOP_REASON: Record<Reply["finish"], string> = {
  stop: "end_turn",
  stop_sequence: "stop_sequence",
  length: "max_tokens",
  tool_calls: "tool_use",
  refusal: "refusal",
};

/** Input is counted without what the cache read and wrote. */
export function usageOf(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite - usage.cacheWriteHour,
      ephemeral_1h_input_tokens: usage.cacheWriteHour,
    },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: "standard",
  };
}

export interface WrittenBlock {
  block: JsonObject & { type: string };
  /** Arguments as they were written, where the block has some. */
  args?: string;
}

export function blocksOf(exchange: Exchange<Body>): WrittenBlock[] {
  const { thinking } = exchange.body;
  const omitted = thinking && "display" in thinking && thinking.display === "omitted";
  return exchange.replies[0]!.parts.map((part, index): WrittenBlock => {
    if (part.type === "text") return { block: { type: "text", text: part.text, citations: null } };
    if (part.type === "reasoning") {
      if (part.redacted)
        return { block: { type: "redacted_thinking", data: seal("msgstyle-redacted", part.text) } };
      const text = omitted ? "" : part.text;
      return { block: { type: "thinking", thinking: text, signature: seal("msgstyle", digest(text)) } };
    }
    const id = `toolu_${digest(exchange.hash, String(index)).slice(0, 24)}`;
    const input: unknown = part.cut ? {} : JSON.parse(part.args);
    return { block: { type: "tool_use", id, name: part.name, input }, args: part.args };
  });
}

export function ending(exchange: Exchange<Body>): JsonObject {
  const reply = exchange.replies[0]!;
  return {
    stop_reason: STOP_REASON[reply.finish],
    stop_sequence: reply.stop ?? null,
    stop_details:
      reply.refusal === undefined ? null : { type: "refusal", category: null, explanation: reply.refusal },
  };
}

export function messageOf(exchange: Exchange<Body>, content: unknown[], end: JsonObject): JsonObject {
  return {
    id: `msg_${exchange.hash.slice(0, 24)}`,
    type: "message",
    role: "assistant",
    model: exchange.model,
    content,
    container: null,
    diagnostics: null,
    ...end,
  };
}

export function write(exchange: Exchange<Body>): unknown {
  const content = blocksOf(exchange).map(({ block }) => block);
  return {
    ...messageOf(exchange, content, ending(exchange)),
    ...(exchange.usage ? { usage: usageOf(exchange.usage) } : {}),
  };
}
