import { digest, seal } from "../../content/digest.ts";
import type { JsonObject, ReplyPart } from "../../content/request-content.ts";
import { probabilities } from "../../model/pieces.ts";
import { customInput } from "../chatstyle/write.ts";
import type { Exchange } from "../protocol.ts";
import { reasonedId } from "./rules.ts";
import type { Body, Item } from "./schema.ts";

export type OutputItem = JsonObject & { id: string; type: string };

function reasoningItem(
  exchange: Exchange<Body>,
  part: Extract<ReplyPart, { type: "reasoning" }>,
): OutputItem {
  const { reasoning, include } = exchange.body;
  const shown = (reasoning?.summary ?? reasoning?.generate_summary) != null && !part.redacted;
  const sealed = include?.includes("reasoning.encrypted_content");
  return {
    id: `rs_${reasonedId(exchange.hash)}`,
    type: "reasoning",
    summary: shown ? [{ type: "summary_text", text: part.text }] : [],
    ...(sealed ? { encrypted_content: seal("responses", part.text) } : {}),
  };
}

function messageItem(exchange: Exchange<Body>, part: JsonObject, index: number): OutputItem {
  return {
    id: `msg_${digest(exchange.hash, String(index)).slice(0, 24)}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [part],
  };
}

/** The items of the answer. A call that came of reasoning says so in its id, so that it can be held to it later. */
export function outputOf(exchange: Exchange<Body>): OutputItem[] {
  const reply = exchange.replies[0]!;
  if (reply.refusal !== undefined)
    return [messageItem(exchange, { type: "refusal", refusal: reply.refusal }, 0)];
  const reasoned = reply.parts.some((part) => part.type === "reasoning");
  const logprobs = exchange.body.include?.includes("message.output_text.logprobs");
  const custom = (name: string): boolean =>
    (exchange.body.tools ?? []).some((tool) => tool.type === "custom" && tool.name === name);
  return reply.parts.map((part, index) => {
    if (part.type === "reasoning") return reasoningItem(exchange, part);
    if (part.type === "text") {
      const chances = logprobs
        ? probabilities(part.text).map((entry) => ({ ...entry, top_logprobs: [] }))
        : [];
      const content = { type: "output_text", text: part.text, annotations: [], logprobs: chances };
      return messageItem(exchange, content, index);
    }
    const callHash = digest(exchange.hash, "call", String(index)).slice(0, 24);
    const status = part.cut ? "incomplete" : "completed";
    const call = { call_id: `call_${callHash}`, name: part.name, status };
    return custom(part.name)
      ? { id: `ctc_${callHash}`, type: "custom_tool_call", ...call, input: customInput(part.args) }
      : {
          id: `fc_${reasoned ? `${reasonedId(exchange.hash)}${index}` : callHash}`,
          type: "function_call",
          ...call,
          arguments: part.args,
        };
  });
}

const MEMORY_SIZE = 2000;

/** Keeps what a later `previous_response_id` or item reference may point to. */
export function remember(exchange: Exchange<Body>, id: string, earlier: Item[], output: OutputItem[]): void {
  const { memory, body } = exchange;
  if (body.store === false) return;
  for (const item of output) memory.set(item.id, item);
  memory.set(id, [...earlier, ...output]);
  for (const key of memory.keys()) {
    if (memory.size <= MEMORY_SIZE) break;
    memory.delete(key);
  }
}
