import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  decodeNativeImage,
  encodeImageJob,
  encodeNativeImage,
  nativeImageSchema,
} from "@manifold-gateway/core/operations";
import type { z } from "zod";
import { bodyLimits } from "../http/body.ts";
import { planned } from "../media/explain.ts";
import { planImage } from "../media/image.ts";
import { finished, picturesOf, withBytes } from "../media/job-answer.ts";
import type { MediaTrail } from "../media/resolve.ts";
import { type MediaPlanService, type MediaService, mediaServices } from "../media/services.ts";
import { begin, headersOf, type PreparedWork } from "../media/work.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { defineRoute, type Input, type Route } from "../route.ts";
import { jobRows, startJob } from "./media.ts";
import { imageJob, imageResult } from "./shapes/media.ts";

const body = nativeImageSchema.meta({ id: "ImageGenerationRequest" });
type Ask = Pick<Input<unknown, unknown, z.output<typeof body>>, "body" | "json">;

const plan = (context: Context<MediaPlanService>, { body, json }: Ask, trace: MediaTrail) =>
  planImage(context, decodeNativeImage(body), json, { trace });

async function generate(context: Context<MediaService>, ask: Ask, work: PreparedWork): Promise<Answer> {
  const view = await finished(context, await begin(context, work));
  const asBytes = ask.body.responseFormat === "b64_json";
  const result = asBytes ? await withBytes(context, view) : picturesOf(view);
  return {
    headers: headersOf(view, work),
    body: encodeNativeImage(result),
  };
}

const jobOf = ({ id, state, image, error }: JobView): JsonObject =>
  encodeImageJob({
    generationId: id,
    state,
    ...(image && { result: image }),
    ...(error && { error: error.message }),
  });

const content = [{ type: "text", text: "A lighthouse at dusk." }];

/** Routes for images on the native interface. */
export const imageRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/image/generations/async",
    access: "caller",
    summary: "Create an image job",
    about: "Poll the job until its `status` is `succeeded` or `failed`.",
    body,
    limits: bodyLimits,
    statuses: [202],
    answer: imageJob,
    examples: { "from text": { body: { model: "sim-image", content, size: "1024x1024" } } },
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: planned(plan, (context, _: Ask, work) => startJob(context, work, { status: "queued" })),
  }),
  defineRoute({
    method: "POST",
    path: "/image/generations",
    access: "caller",
    summary: "Generate images and wait for them",
    body,
    limits: bodyLimits,
    answer: imageResult,
    examples: { "from text": { body: { model: "sim-image", content } } },
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: planned(plan, generate),
  }),
  ...jobRows({
    kind: "image",
    path: "/image/generations/async/:generationId",
    id: "generationId",
    read: "Get an image job",
    cancel: "Cancel an image job",
    answer: imageJob,
    show: jobOf,
  }),
];
