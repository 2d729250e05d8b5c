import type { UpstreamResponse } from "@manifold-gateway/providers";
import { pauseHeaders } from "../generation/upstream-error.ts";
import { faultMessage, faultRefusal, isDefect, logDefect, MalformedReply } from "../http/fault.ts";
import { errorSource } from "../http/source.ts";
import { streamHeaders } from "../http/stream.ts";
import type { Outcome } from "../ports/billing.ts";
import { type RequestTrace, traceHeaders } from "../routing/request-trace.ts";
import { checkpoints } from "./checkpoints.ts";
import { estimateOf } from "./estimate.ts";
import { eventStream } from "./framing.ts";
import { billable } from "./impossible-usage.ts";
import { pumpStream } from "./pump-stream.ts";
import { relayTransform } from "./relay.ts";
import { answerName } from "./rename-model.ts";
import type { Work } from "./reply.ts";
import { settleText } from "./settle.ts";
import type { Framing, StreamTransform } from "./stream-transform.ts";
import { readWhole, translateTransform } from "./translate.ts";
import { isUnread } from "./unary-reply.ts";

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
  style: StreamStyle,
): Promise<undefined> {
  const { context, ask, plan, hide, trace, head, most } = work;
  const framing = style.framing ?? eventStream;
  // Some servers ignore `stream`: their unary answer is turned into a stream.
  const { protocols } = context.services;
  const reader = isJson(response) ? readWhole(plan.upstream, protocols) : undefined;
  const counted = { ...head, ...(plan.request && { inputTokens: estimateOf(plan.request) }) };
  const translated =
    plan.translated || reader
      ? translateTransform(plan.upstream, ask.codec, counted, plan.restore, framing, { reader, protocols })
      : undefined;
  const pump: StreamTransform =
    translated ?? relayTransform(ask.codec, style.framing, hide, answerName(ask, plan));
  const used = (): Outcome["usage"] | undefined => billable(pump.observation(), ask.body, most).usage;
  const { limits } = context.services;
  await pumpStream(response.body, context.exchange.sink, pump, {
    limits: { ...limits, drain: plan.resolution.provider.drain ?? limits.drain },
    head: {
      "content-type": framing.contentType,
      ...streamHeaders,
      ...style.headers,
      ...traceHeaders(trace),
    },
    say: (error) => faultMessage(error, context.id),
    fail: faultRefusal,
    broke(error) {
      if (isDefect(error))
        logDefect(context.services.log, error, { request: context.id, generation: head.id });
    },
    early: translated
      ? (failure) => {
          // A unary answer that cannot be read as a reply states no reason of its own.
          if (reader && isUnread({ failure })) throw faultRefusal(new MalformedReply());
          const { status, body } = ask.codec.failure.encode(failure);
          return {
            status,
            headers: {
              "content-type": "application/json",
              ...errorSource.provider,
              ...traceHeaders(trace),
              ...pauseHeaders(failure),
            },
            body: JSON.stringify(body),
          };
        }
      : undefined,
    progress: markFirstByte(trace, () => pump.observation().content > 0, checkpoints(context, work, used)),
    settle(status, error) {
      if (translated) trace.replyLosses = translated.losses;
      const observation = pump.observation();
      return settleText(work, status, reader && isUnread(observation) ? undefined : observation, error);
    },
  });
}

/** Records when the first content of an answer arrived. */
function markFirstByte(trace: RequestTrace, begun: () => boolean, next: () => void): () => void {
  return () => {
    if (trace.first === undefined && begun()) trace.first = trace.steady();
    next();
  };
}

const isJson = ({ headers }: UpstreamResponse): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
