import type { Head } from "@manifold-gateway/core";
import { openReply as openPlanned, type Reply } from "@manifold-gateway/core/reply";
import { arrayStream, eventStream, type Framing } from "@manifold-gateway/core/wire";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { secretsOf } from "@manifold-gateway/providers/provider";
import type { Incoming } from "../request/incoming.ts";
import type { TextPlan } from "./plan-text.ts";

const headOf = ({ id, model }: Incoming): Head => ({ id, model, created: Math.floor(Date.now() / 1000) });

export const framingOf = ({ wire, codec }: Incoming): Framing =>
  wire.form === "array" ? arrayStream() : eventStream(codec);

/** The reply of a target on its way to the caller. */
export function openReply(
  incoming: Incoming,
  plan: TextPlan,
  { headers, status }: Pick<UpstreamResponse, "headers" | "status">,
): Reply {
  const { wire } = incoming;
  const isJson = /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
  return openPlanned(plan, headOf(incoming), {
    framing: wire.form === "array" ? arrayStream() : undefined,
    unary: wire.stream && status < 400 && isJson,
    secrets: () => secretsOf(plan.resolution.provider),
    now: Date.now(),
  });
}
