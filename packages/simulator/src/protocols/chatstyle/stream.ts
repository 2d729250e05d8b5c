import type { Reply } from "../../content/request-content.ts";
import { pieces } from "../../model/pieces.ts";
import type { Chunk, Exchange } from "../protocol.ts";
import type { Body } from "./schema.ts";
import { callsOf, customInput, FINISH, joined, logprobsOf, usageOf } from "./write.ts";

type Delta = Record<string, unknown>;

function callDeltas(exchange: Exchange<Body>, reply: Reply, choice: number): Delta[] {
  return callsOf(exchange, reply, choice).flatMap(({ id, name, args, custom }, index) => {
    const [kind, key, text] = custom
      ? (["custom", "input", customInput(args)] as const)
      : (["function", "arguments", args] as const);
    const first = { index, id, type: kind, [kind]: { name, [key]: "" } };
    const rest = pieces(text).map((piece) => ({ index, [kind]: { [key]: piece } }));
    return [first, ...rest].map((fragment) => ({ tool_calls: [fragment] }));
  });
}

/** role · reasoning · text · refusal · calls, per choice; then a finish chunk each, usage if requested, `[DONE]`. */
export function stream(exchange: Exchange<Body>): Chunk[] {
  const { body, usage } = exchange;
  const wantsUsage = body.stream_options?.include_usage === true && usage !== undefined;
  const envelope = {
    id: `chatcmpl-${exchange.hash.slice(0, 24)}`,
    object: "chat.completion.chunk",
    created: exchange.created,
    model: exchange.model,
    service_tier: "default",
    system_fingerprint: `fp_${exchange.hash.slice(0, 10)}`,
  };
  const chunk = (index: number, delta: Delta, finish: string | null, logprobs: unknown = null): Chunk => ({
    data: {
      ...envelope,
      choices: [{ index, delta, logprobs, finish_reason: finish }],
      ...(wantsUsage ? { usage: null } : {}),
    },
    ...(finish === null && !("role" in delta) ? { part: "content" as const } : {}),
  });
  const choices = exchange.replies.flatMap((reply, index) => [
    chunk(index, { role: "assistant", content: "", refusal: null }, null),
    ...pieces(joined(reply, "reasoning")).map((piece) => chunk(index, { reasoning_content: piece }, null)),
    ...pieces(joined(reply, "text")).map((content) =>
      chunk(index, { content }, null, logprobsOf(body, content)),
    ),
    ...pieces(reply.refusal ?? "").map((refusal) => chunk(index, { refusal }, null)),
    ...callDeltas(exchange, reply, index).map((delta) => chunk(index, delta, null)),
    chunk(index, {}, FINISH[reply.finish]),
  ]);
  return [
    ...choices,
    ...(wantsUsage ? [{ data: { ...envelope, choices: [], usage: usageOf(usage) } }] : []),
    { data: "[DONE]", part: "done" },
  ];
}
