import {
  checkSpeech,
  estimateSpeech,
  type JsonObject,
  modelOfSpeech,
  type SpeechAsk,
  speechUnfetched,
  type Voice,
} from "@manifold/core";
import { adapters } from "@manifold/providers";
import type { Context } from "../context.ts";
import { Refusal } from "../http/refusal.ts";
import { refuseAddresses } from "./forwarded.ts";
import { lossesOf } from "./losses.ts";
import { type MediaTrail, mediaPrice, resolveMedia } from "./resolve.ts";
import type { Work } from "./work.ts";

interface Beside {
  /** The request as the caller set it, and as its record may hold it. */
  set: JsonObject;
  request: JsonObject;
  voices: readonly Voice[];
  trail?: MediaTrail;
}

/** A request for speech as work that can be begun: checked against its voice, and reckoned. */
export function planSpeech(context: Context, ask: SpeechAsk, { set, request, voices, trail }: Beside): Work {
  const issues = checkSpeech(ask, voices);
  if (issues.length > 0)
    throw new Refusal(
      "value_not_allowed",
      issues.map(({ message }) => message),
      { param: issues[0]?.path.slice(1) ?? "body" },
    );
  const route = resolveMedia(context, modelOfSpeech(ask, voices) ?? "", "speech", {
    ...(trail && { trail }),
  });
  refuseAddresses(context.services, {
    codec: { unfetched: speechUnfetched },
    body: { brief: set },
    model: route.model.id,
  });
  const adapter = Object.entries(adapters.speech).find(([wire]) => wire === route.service.wire)?.[1];
  const lost = lossesOf(context, route, adapter, { ask, asked: set });
  const { estimated: _, ...counts } = estimateSpeech(ask);
  return {
    kind: "speech",
    route,
    ask,
    request,
    price: mediaPrice(route),
    estimate: { requests: 1, ...counts },
    shown: {
      product: ask.product,
      ...(ask.product === "generation-with-reference" && { enableSubtitle: ask.enableSubtitle }),
    },
    ...lost,
  };
}
