import {
  checkImage,
  estimateImage,
  fitAsk,
  type ImageAsk,
  type ImageMeter,
  imageFacts,
  imageMeterFor,
  type ParamNames,
  withNamedPictures,
  withoutAuto,
} from "@manifold-gateway/core/operations";
import { adapters } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { storable } from "../http/storable-body.ts";
import type { Context } from "../ports/context.ts";
import { findingsOf } from "../routing/check-capabilities.ts";
import { readPreferences } from "../routing/preferences.ts";
import { lossesOf } from "./losses.ts";
import { planMedia } from "./plan.ts";
import { type MediaRouteOptions, mediaPrice } from "./resolve.ts";
import type { MediaPlanService } from "./services.ts";
import { settleSources } from "./sources.ts";
import type { PreparedWork } from "./work.ts";

export interface ImageOptions extends MediaRouteOptions {
  names?: ParamNames;
  /** The surface converts the answer to the requested form, so the model need not support it. */
  shapes?: boolean;
  /** On the caller's wire, `auto` leaves a parameter to the model. */
  leaves?: boolean;
  /** The caller receives partial images, if the provider sends them. */
  streams?: boolean;
}

/** Plans a request for images: checks it, adapts it to its model, and estimates it. */
export function planImage(
  context: Context<MediaPlanService>,
  requested: ImageAsk,
  json: JsonBody,
  { names, shapes, leaves, streams, ...options }: ImageOptions = {},
): Promise<PreparedWork> {
  const preferences = readPreferences(json.value.provider, requested.model);
  return planMedia(context, requested.model, "image", { ...options, preferences }, async (route) => {
    const { entry, service } = route;
    const adapter = adapters.image[service.wire];
    const named = withNamedPictures(requested, adapter);
    const refused = leaves ? checkImage(entry.capabilities, named, names).map(({ name }) => name) : [];
    const wanted = withoutAuto(named, refused);
    const found = checkImage(entry.capabilities, wanted, names);
    const findings = findingsOf(found.filter(({ name }) => !(shapes && name === "responseFormat")));
    const { parts: images } = await settleSources(context, route, wanted.images);
    refuseMask(wanted, adapter);
    const ask = fitAsk({ ...wanted, images }, "image", entry.capabilities, found);
    const lost = lossesOf(context, route, adapter, { ask, requested, findings, names });
    const price = mediaPrice(route, "image", imageFacts(ask));
    const meter = imageMeterFor(price, entry.meter as ImageMeter | undefined);
    return {
      kind: "image",
      ask,
      request: storable(json),
      price,
      estimate: { requests: 1, ...estimateImage(ask, meter) },
      ...lost,
      ...(streams && adapter?.previews && { streams }),
    };
  });
}

/** Throws a 400 for a mask on a wire without one: the picture would change in all places, not only in those of the mask. */
function refuseMask({ images, model }: ImageAsk, adapter: { masks?: true } | undefined): void {
  const mask = images.find(({ role }) => role === "mask");
  if (!mask || adapter?.masks) return;
  throw new Refusal(
    "unusable_input",
    `mask: the model takes none; describe in the prompt what is to change (model ${quote(model)})`,
    { param: "mask" },
  );
}
