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
  refusal: "content_filtered",
};

/** Input is counted without what the cache read and wrote. */
export function usageOf(usage: Usage): JsonObject {
  const { input, output, cacheRead, cacheWrite, cacheWriteHour } = usage;
  const details = [
    { ttl: "1h", inputTokens: cacheWriteHour },
    { ttl: "5m", inputTokens: cacheWrite - cacheWriteHour },
  ].filter(({ inputTokens }) => inputTokens > 0);
  return {
    inputTokens: input - cacheRead - cacheWrite,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
    ...(details.length > 0 && { cacheDetails: details }),
  };
}

export interface WrittenBlock {
  block: JsonObject;
  /** The text, the thought or the arguments, where they stream piece by piece. */
  text?: string;
}

export function blocksOf(exchange: Exchange<Body>): WrittenBlock[] {
  return exchange.replies[0]!.parts.map((part, index): WrittenBlock => {
    if (part.type === "text") return { block: { text: part.text }, text: part.text };
    if (part.type === "reasoning") {
      const redacted = Buffer.from(seal("conversestyle-redacted", part.text)).toString("base64");
      if (part.redacted) return { block: { reasoningContent: { redactedContent: redacted } } };
      const reasoningText = { text: part.text, signature: seal("conversestyle", digest(part.text)) };
      return { block: { reasoningContent: { reasoningText } }, text: part.text };
    }
    const toolUseId = `tooluse_${digest(exchange.hash, String(index)).slice(0, 22)}`;
    const input: unknown = part.cut ? {} : JSON.parse(part.args);
    return { block: { toolUse: { toolUseId, name: part.name, input } }, text: part.args };
  });
}

export function ending({ replies, body }: Exchange<Body>): JsonObject {
  const reply = replies[0]!;
  const wanted = body.additionalModelResponseFieldPaths?.includes("/stop_sequence");
  return {
    stopReason: STOP_REASON[reply.finish],
    ...(wanted && { additionalModelResponseFields: { stop_sequence: reply.stop ?? null } }),
  };
}

/** Counts and times. Priority and latency are repeated where they were asked for. */
export function metadata({ usage, body }: Exchange<Body>): JsonObject {
  const { serviceTier, performanceConfig } = body;
  return {
    ...(usage && { usage: usageOf(usage) }),
    metrics: { latencyMs: 12 },
    ...(performanceConfig && { performanceConfig }),
    ...(serviceTier && { serviceTier }),
  };
}

export function write(exchange: Exchange<Body>): unknown {
  const content = blocksOf(exchange).map(({ block }) => block);
  return { output: { message: { role: "assistant", content } }, ...ending(exchange), ...metadata(exchange) };
}
