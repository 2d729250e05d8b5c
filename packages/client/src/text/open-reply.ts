import { openReply, type Reply } from "@manifold-gateway/core/reply";
import { arrayStream } from "@manifold-gateway/core/wire";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { secretsOf } from "@manifold-gateway/providers/provider";
import type { Incoming } from "../request/incoming.ts";
import type { TextPlan } from "./plan-text.ts";

/** Opens the reply to a planned request. `stream`: the caller gets a stream, also of a provider that sent none. */
export function replyTo(
  { id, model, wire }: Incoming,
  plan: TextPlan,
  { headers }: Pick<UpstreamResponse, "headers">,
  stream: boolean,
): Reply {
  const { provider, protocol } = plan.resolution;
  const now = Date.now();
  const isJson = /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
  return openReply(
    plan,
    { id, model, created: Math.floor(now / 1000) },
    {
      now,
      framing: stream && wire.form === "array" ? arrayStream() : undefined,
      unary: stream && isJson,
      secrets: () => secretsOf(provider),
      foreignErrors: provider.speaks[protocol]?.platform !== undefined,
    },
  );
}
