import type { UpstreamResponse } from "@manifold-gateway/providers";
import { estimateOf } from "./estimate.ts";
import { eventStream, type Framing } from "./framing.ts";
import { pumpStream } from "./pump-stream.ts";
import { RelayStream } from "./relay-stream.ts";
import { answerName } from "./rename-model.ts";
import type { Work } from "./reply.ts";
import { ReplyHandler } from "./reply-handler.ts";
import { hideOf, translatedReply } from "./translated-reply.ts";

/** The form of a surface's streams. */
export interface StreamStyle {
  /** The framing, if not server-sent events. */
  framing?: Framing;
  headers?: Record<string, string>;
}

/** Relays or translates a streamed reply. Its end is written after the generation is settled. */
export async function streamed(
  response: UpstreamResponse,
  work: Work,
  { framing, headers }: StreamStyle,
): Promise<undefined> {
  const { context, ask, plan, head } = work;
  // Some servers ignore `stream`: their unary answer is turned into a stream.
  const unary = isJson(response);
  const reply =
    plan.translated || unary
      ? translatedReply(work, {
          head: { ...head, ...(plan.request && { inputTokens: estimateOf(plan.request) }) },
          frame: framing?.frame,
          unary,
        })
      : new RelayStream(ask.codec, { framing, hide: hideOf(work), name: answerName(ask, plan) });
  const handler = new ReplyHandler(work, reply, framing ?? eventStream, headers);
  const { limits } = context.services;
  const drain = plan.resolution.provider.drain ?? limits.drain;
  await pumpStream(response.body, context.exchange.sink, handler, { ...limits, drain });
}

const isJson = ({ headers }: UpstreamResponse): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
