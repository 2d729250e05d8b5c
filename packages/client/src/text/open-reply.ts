import {
  type Head,
  type Loss,
  type Observation,
  observe,
  readFrames,
  TranslatedReply,
} from "@manifold-gateway/core";
import { FRAME_LIMIT } from "@manifold-gateway/core/codec";
import { arrayStream, eventStream, type Framing } from "@manifold-gateway/core/wire";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import type { Incoming } from "../request/incoming.ts";
import type { TextPlan } from "./plan-text.ts";

/** Turns the bytes of a provider's reply into the caller's. */
export interface TextReply {
  readonly losses: readonly Loss[];
  push(bytes: Uint8Array): string | Uint8Array;
  finish(fault?: string): string;
  observation(): Observation;
}

export const headOf = ({ id, model }: Incoming, { request }: TextPlan): Head => ({
  id,
  model,
  created: Math.floor(Date.now() / 1000),
  ...(request && { request }),
});

export const framingOf = ({ wire, codec }: Incoming): Framing =>
  wire.form === "array" ? arrayStream() : eventStream(codec);

export function openReply(
  incoming: Incoming,
  plan: TextPlan,
  { headers }: Pick<UpstreamResponse, "headers">,
  framing: Framing,
): TextReply {
  const unary = /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
  if (plan.translated || unary || incoming.wire.form === "array")
    return new TranslatedReply(plan.upstream, incoming.codec, headOf(incoming, plan), {
      frame: framing.frame,
      unary,
      ...(plan.restore && { restore: plan.restore() }),
    });
  return relayed(incoming, plan, framing);
}

function relayed({ codec }: Incoming, { upstream }: TextPlan, framing: Framing): TextReply {
  const seen = observe(upstream);
  const frames = readFrames(FRAME_LIMIT);
  return {
    losses: [],
    push(bytes) {
      for (const { data } of frames.step(bytes)) seen.chunk(data);
      return bytes;
    },
    finish(fault) {
      for (const { data } of frames.end()) seen.chunk(data);
      if (fault === undefined) return "";
      const failure = { kind: "unavailable", status: 502, message: fault } as const;
      const writer = codec.reply.encode({ id: "", model: "", created: 0 }, () => {});
      const chunk = writer.step({ type: "failure", failure }).at(-1);
      return framing.frame(JSON.stringify(chunk), codec.frame.event?.(chunk));
    },
    observation: () => seen.soFar(),
  };
}
