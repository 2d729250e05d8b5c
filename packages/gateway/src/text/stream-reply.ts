import type { UpstreamResponse } from "@manifold-gateway/providers";
import type { CallerStream } from "./caller-stream.ts";
import { estimateOf } from "./estimate.ts";
import { pumpStream } from "./pump-stream.ts";
import { RelayStream } from "./relay-stream.ts";
import { answerName } from "./rename-model.ts";
import type { Work } from "./reply.ts";
import { ReplyHandler } from "./reply-handler.ts";
import { hideOf, translatedReply } from "./translated-reply.ts";

/** Relays or translates a streamed reply. Its end is written after the generation is settled. */
export async function streamed(
  response: UpstreamResponse,
  work: Work,
  stream: CallerStream,
): Promise<undefined> {
  const { context, ask, plan, head } = work;
  // Some servers ignore `stream`: their unary answer is turned into a stream.
  const unary = isJson(response);
  const reply =
    plan.translated || unary
      ? translatedReply(work, {
          head: { ...head, ...(plan.request && { inputTokens: estimateOf(plan.request) }) },
          frame: stream.framing.frame,
          unary,
        })
      : new RelayStream(ask.codec, {
          framing: stream.style.framing,
          hide: hideOf(work),
          name: answerName(ask, plan),
        });
  const handler = new ReplyHandler(work, reply, stream);
  const { limits } = context.services;
  const drain = plan.resolution.provider.drain ?? limits.drain;
  await pumpStream(response.body, context.exchange.sink, handler, { ...limits, drain });
}

const isJson = ({ headers }: UpstreamResponse): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
