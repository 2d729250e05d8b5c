import {
  checkSpeech,
  checkSpeechParams,
  estimateSpeech,
  fitSpeech,
  modelOfSpeech,
  type SpeechAsk,
  speechUnfetched,
  type Voice,
} from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import { adapters } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import { Refusal } from "../http/refusal.ts";
import { refuseAddresses } from "../http/refuse-addresses.ts";
import { storable } from "../http/storable-body.ts";
import type { Context } from "../ports/context.ts";
import { findingsOf } from "../routing/check-capabilities.ts";
import { readPreferences } from "../routing/preferences.ts";
import { lossesOf } from "./losses.ts";
import { planMedia } from "./plan.ts";
import { type MediaTrail, mediaPrice } from "./resolve.ts";
import type { PreparedWork } from "./work.ts";

interface SpeechOptions {
  json: JsonBody;
  voices: readonly Voice[];
  trace?: MediaTrail;
}

/** Plans a request for speech: checks it against its voice and its model, adapts it, and estimates it. */
export async function planSpeech(
  context: Context<"catalog" | "faultOfUrl" | "now" | "providers" | "routing">,
  requested: SpeechAsk,
  { json, voices, trace }: SpeechOptions,
): Promise<PreparedWork> {
  const issues = checkSpeech(requested, voices);
  if (issues.length > 0)
    throw new Refusal(
      "value_not_allowed",
      issues.map(({ message }) => message),
      { param: fieldOf(issues[0]?.path ?? "") },
    );
  const model = modelOfSpeech(requested, voices) ?? "";
  const preferences = readPreferences(json.value.provider, model);
  const options = { preferences, ...(trace && { trace }) };
  return planMedia(context, model, "speech", options, (route) => {
    refuseAddresses(context.services, {
      codec: { unfetched: speechUnfetched },
      body: json,
      model: route.model.id,
    });
    const { capabilities } = route.entry;
    const found = checkSpeechParams(capabilities, requested, json.value, model);
    const findings = findingsOf(found);
    const ask = fitSpeech(requested, capabilities, json.value, found);
    const adapter = Object.entries(adapters.speech).find(([wire]) => wire === route.service.wire)?.[1];
    const lost = lossesOf(context, route, adapter, { ask, requested: json.value, findings });
    const price = mediaPrice(route, "speech");
    const { estimated: _, ...counts } = estimateSpeech(ask, price);
    return {
      kind: "speech",
      ask,
      request: storable(json),
      price,
      estimate: { requests: 1, ...counts },
      shown: {
        product: ask.product,
        ...(ask.product === "generation-with-reference" && { enableSubtitle: ask.enableSubtitle }),
      },
      ...lost,
    };
  });
}
