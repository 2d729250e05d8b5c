import {
  checkVideo,
  estimateVideo,
  fitAsk,
  type ParamNames,
  type VideoAsk,
  type VideoKnown,
  type VideoMeter,
  type VideoPart,
  videoFacts,
  videoMeterFor,
} from "@manifold-gateway/core/operations";
import { adapters } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import { storable } from "../http/storable-body.ts";
import type { Context } from "../ports/context.ts";
import { findingsOf } from "../routing/check-capabilities.ts";
import { readPreferences } from "../routing/preferences.ts";
import { lossesOf } from "./losses.ts";
import { mediaOf } from "./media.ts";
import { planMedia } from "./plan.ts";
import { type MediaRouteOptions, mediaPrice } from "./resolve.ts";
import type { MediaPlanService } from "./services.ts";
import { settleSources } from "./sources.ts";
import type { PreparedWork } from "./work.ts";

type MediaPart = Exclude<VideoPart, { type: "text" }>;

/** Plans a request for a video: checks it, adapts it to its model, and estimates it. */
export function planVideo(
  context: Context<MediaPlanService>,
  requested: VideoAsk,
  json: JsonBody,
  { names, ...options }: MediaRouteOptions & { names?: ParamNames } = {},
): Promise<PreparedWork> {
  let known: Promise<VideoKnown> | undefined;
  const preferences = readPreferences(json.value.provider, requested.model);
  return planMedia(context, requested.model, "video", { ...options, preferences }, async (route) => {
    const { entry, service } = route;
    const issues = checkVideo(entry.capabilities, requested, names);
    const findings = findingsOf(issues);
    const media = requested.parts.filter((part) => part.type !== "text");
    const settled = await settleSources(context, route, media);
    const byPlace = new Map<string, VideoPart>(settled.parts.map((part) => [part.at, part]));
    const parts = requested.parts.map((part) => byPlace.get(part.at) ?? part);
    const ask = fitAsk({ ...requested, parts }, "video", entry.capabilities, issues);
    const lost = lossesOf(context, route, adapters.video[service.wire], { ask, requested, findings, names });
    const price = mediaPrice(route, "video", videoFacts(ask));
    const meter = videoMeterFor(price, entry.meter as VideoMeter | undefined);
    // Measured once for all entries, since it takes long.
    known ??= knownOf(context, media, settled.inputSeconds);
    return {
      kind: "video",
      ask,
      request: storable(json),
      price,
      estimate: {
        requests: 1,
        ...estimateVideo(ask, meter, await known),
      },
      ...lost,
    };
  });
}

/** The total duration of the input videos, if all are known. */
async function knownOf(
  { services, caller }: Context<"media">,
  parts: readonly MediaPart[],
  inputSeconds: number | undefined,
): Promise<VideoKnown> {
  if (inputSeconds !== undefined) return { inputSeconds };
  const videos = parts.filter(({ type }) => type === "video");
  let sum = 0;
  for (const { source } of videos) {
    if (source.type !== "base64") return {};
    const probe = await mediaOf(services).probes.probe(caller.accountId, { base64: source.data });
    if (probe.kind !== "video") return {};
    sum += probe.seconds;
  }
  return videos.length > 0 ? { inputSeconds: sum } : {};
}
