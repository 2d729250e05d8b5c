import { seal } from "../../content/digest.ts";
import type { JsonObject, Reply } from "../../content/request-content.ts";
import type { Usage } from "../../content/tokens.ts";
import { probabilities } from "../../model/pieces.ts";
import type { Exchange } from "../protocol.ts";
import { sealsCalls } from "./conversation.ts";
import type { Body } from "./schema.ts";

export const FINISH: Record<Reply["finish"], string> = {
  stop: "STOP",
  stop_sequence: "STOP",
  length: "MAX_TOKENS",
  tool_calls: "STOP",
  refusal: "SAFETY",
};

/** Output is counted without the thoughts; counts of nothing are left out. */
export function usageOf(usage: Usage): JsonObject {
  const { input, output, reasoning, cacheRead } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    ...(cacheRead > 0
      ? {
          cachedContentTokenCount: cacheRead,
          cacheTokensDetails: [{ modality: "TEXT", tokenCount: cacheRead }],
        }
      : {}),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
  };
}

export interface WrittenPart {
  part: JsonObject;
  /** The text that streams piece by piece, where there is some. */
  text?: string;
}

/** Calls are whole or not there at all; the first of a step carries the seal of what was thought. */
export function partsOf(exchange: Exchange<Body>, reply: Reply): WrittenPart[] {
  const seals = sealsCalls(exchange.model);
  const shown = exchange.body.generationConfig?.thinkingConfig?.includeThoughts === true;
  const first = reply.parts.findIndex((part) => part.type === "call");
  return reply.parts.flatMap((part, index): WrittenPart[] => {
    if (part.type === "text") return [{ part: { text: part.text }, text: part.text }];
    if (part.type === "reasoning")
      return shown && !part.redacted ? [{ part: { text: part.text, thought: true }, text: part.text }] : [];
    if (part.cut) return [];
    const signature = seals && index === first ? { thoughtSignature: seal("genstyle", part.name) } : {};
    const args: unknown = JSON.parse(part.args);
    return [{ part: { functionCall: { name: part.name, args }, ...signature } }];
  });
}

/** Thoughts before a text are sealed into an empty part behind it. */
export function trailingSeal(exchange: Exchange<Body>, reply: Reply): WrittenPart[] {
  const thought = reply.parts.some((part) => part.type === "reasoning");
  const calls = reply.parts.some((part) => part.type === "call");
  if (!thought || calls || !sealsCalls(exchange.model)) return [];
  return [{ part: { text: "", thoughtSignature: seal("genstyle", "thought") } }];
}

export function logprobsOf({ generationConfig: config }: Body, reply: Reply): JsonObject {
  if (!config?.responseLogprobs) return {};
  const text = reply.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const chosen = probabilities(text).map(({ token, logprob }) => ({ token, logProbability: logprob }));
  return {
    logprobsResult: {
      chosenCandidates: chosen,
      topCandidates: chosen.map((candidate) => ({ candidates: [candidate] })),
    },
  };
}

export function envelope(exchange: Exchange<Body>): JsonObject {
  return { modelVersion: exchange.model, responseId: exchange.hash.slice(0, 22) };
}

export function write(exchange: Exchange<Body>): unknown {
  return {
    candidates: exchange.replies.map((reply, index) => {
      const parts = [...partsOf(exchange, reply), ...trailingSeal(exchange, reply)].map(({ part }) => part);
      return {
        ...(parts.length > 0 ? { content: { role: "model", parts } } : {}),
        finishReason: FINISH[reply.finish],
        ...(reply.refusal === undefined ? {} : { finishMessage: reply.refusal }),
        index,
        ...logprobsOf(exchange.body, reply),
      };
    }),
    ...(exchange.usage ? { usageMetadata: usageOf(exchange.usage) } : {}),
    ...envelope(exchange),
  };
}
