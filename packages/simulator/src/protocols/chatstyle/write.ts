import { digest } from "../../content/digest.ts";
import type { Reply } from "../../content/request-content.ts";
import type { Usage } from "../../content/tokens.ts";
import { probabilities } from "../../model/pieces.ts";
import type { Exchange } from "../protocol.ts";
import type { Body } from "./schema.ts";

export const FINISH: Record<Reply["finish"], string> = {
  stop: "stop",
  stop_sequence: "stop",
  length: "length",
  tool_calls: "tool_calls",
  refusal: "stop",
};

export function usageOf(usage: Usage): unknown {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export function joined(reply: Reply, type: "text" | "reasoning"): string {
  return reply.parts
    .filter((part) => part.type !== "call")
    .filter((part) => part.type === type && !(part.type === "reasoning" && part.redacted))
    .map((part) => part.text)
    .join("");
}

const idOf = (hash: string, length?: number): string =>
  length === undefined ? `call_${hash.slice(0, 24)}` : hash.slice(0, length);

export function callsOf(exchange: Exchange<Body>, reply: Reply, choice: number) {
  const custom = new Set(
    (exchange.body.tools ?? []).flatMap((tool) => (tool.type === "custom" ? [tool.custom.name] : [])),
  );
  return reply.parts
    .filter((part) => part.type === "call")
    .map(({ name, args }, index) => ({
      id: idOf(digest(exchange.hash, String(choice), String(index)), exchange.callIdLength),
      name,
      args,
      custom: custom.has(name),
    }));
}

export function logprobsOf({ logprobs, top_logprobs }: Body, text: string): unknown {
  if (!logprobs) return null;
  const content = probabilities(text).map((entry) => ({
    ...entry,
    top_logprobs: top_logprobs ? [entry] : [],
  }));
  return { content, refusal: null };
}

/** A custom tool's input is free text; what the model made up is an object with one string. */
export function customInput(args: string): string {
  try {
    const { input } = JSON.parse(args) as { input?: unknown };
    return typeof input === "string" ? input : args;
  } catch {
    // The output limit may have cut the object.
    return args;
  }
}

function messageOf(exchange: Exchange<Body>, reply: Reply, choice: number): unknown {
  const calls = callsOf(exchange, reply, choice);
  const text = joined(reply, "text");
  const reasoning = joined(reply, "reasoning");
  const empty = calls.length > 0 || reply.refusal !== undefined;
  return {
    role: "assistant",
    content: text === "" && empty ? null : text,
    refusal: reply.refusal ?? null,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    annotations: [],
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ id, name, args, custom }) =>
            custom
              ? { id, type: "custom", custom: { name, input: customInput(args) } }
              : { id, type: "function", function: { name, arguments: args } },
          ),
        }
      : {}),
  };
}

export function write(exchange: Exchange<Body>): unknown {
  return {
    id: `chatcmpl-${exchange.hash.slice(0, 24)}`,
    object: "chat.completion",
    created: exchange.created,
    model: exchange.model,
    choices: exchange.replies.map((reply, index) => ({
      index,
      message: messageOf(exchange, reply, index),
      logprobs: logprobsOf(exchange.body, joined(reply, "text")),
      finish_reason: FINISH[reply.finish],
    })),
    ...(exchange.usage ? { usage: usageOf(exchange.usage) } : {}),
    service_tier: "default",
    system_fingerprint: `fp_${exchange.hash.slice(0, 10)}`,
  };
}
