import type { JsonObject } from "../../content/request-content.ts";
import type { Usage } from "../../content/tokens.ts";
import type { Exchange } from "../protocol.ts";
import { type OutputItem, outputOf, remember } from "./items.ts";
import { conversation } from "./read.ts";
import type { Body, Tool } from "./schema.ts";

function usageOf(usage: Usage): unknown {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}

/** The server writes its defaults back, strictness of functions included. */
const echoed = (tool: Tool): JsonObject =>
  tool.type === "function"
    ? { ...tool, parameters: tool.parameters ?? null, strict: tool.strict ?? true }
    : { ...tool };

/** A response object in a state: as created, or ended with its output. */
export function responseObject(exchange: Exchange<Body>, output?: OutputItem[]): JsonObject {
  const { body } = exchange;
  const finish = exchange.replies[0]!.finish;
  const incomplete = output && finish === "length";
  return {
    id: `resp_${exchange.hash.slice(0, 24)}`,
    object: "response",
    created_at: exchange.created,
    completed_at: output && !incomplete ? exchange.created : null,
    status: output ? (incomplete ? "incomplete" : "completed") : "in_progress",
    background: false,
    error: null,
    incomplete_details: incomplete ? { reason: "max_output_tokens" } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: exchange.model,
    output: output ?? [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: "default",
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: body.text?.format ?? { type: "text" }, verbosity: body.text?.verbosity ?? "medium" },
    tool_choice: body.tool_choice ?? "auto",
    tools: (body.tools ?? []).map(echoed),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    usage: output && exchange.usage ? usageOf(exchange.usage) : null,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

/** The output of an exchange, remembered for the next one. */
export function settle(exchange: Exchange<Body>): OutputItem[] {
  const output = outputOf(exchange);
  remember(exchange, `resp_${exchange.hash.slice(0, 24)}`, conversation(exchange.body, exchange), output);
  return output;
}

export function write(exchange: Exchange<Body>): unknown {
  return responseObject(exchange, settle(exchange));
}
