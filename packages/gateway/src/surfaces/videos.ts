import { isObject } from "@manifold-gateway/core/codec";
import {
  chatstyleVideoNames,
  chatstyleVideoSchema,
  decodeChatstyleVideo,
  toInline,
  type VideoPart,
} from "@manifold-gateway/core/operations";
import { z } from "zod";
import { pageQuery } from "../account/paging.ts";
import { bodyLimits } from "../http/body.ts";
import { planned } from "../media/explain.ts";
import { accepted } from "../media/job-answer.ts";
import { mediaOf } from "../media/media.ts";
import type { MediaTrail } from "../media/resolve.ts";
import { type MediaPlanService, type MediaService, mediaServices } from "../media/services.ts";
import { planVideo } from "../media/video.ts";
import { begin, headersOf, type PreparedWork } from "../media/work.ts";
import type { Answer, Context } from "../ports/context.ts";
import { parse } from "../request/read-target.ts";
import { defineRoute, type Input, type Route } from "../route.ts";
import { imageFile } from "./image-file.ts";
import { cancelJob, readJob } from "./media.ts";
import { videoJob } from "./shapes/media.ts";
import { downloadVideo, listVideos, videoJobOf } from "./video-job.ts";

/** A form may contain the reference file itself; JSON has its address. */
const isFile = (reference: unknown): boolean => isObject(reference) && "data" in reference;

const withoutFile = (body: unknown): unknown => {
  if (!isObject(body) || !isFile(body.input_reference)) return body;
  const { input_reference: _, ...rest } = body;
  return rest;
};
const body = z.preprocess(withoutFile, chatstyleVideoSchema);

const id = z.object({ id: z.string().describe("The id in the response to the request that created it.") });

type Submission = Pick<Input<unknown, unknown, z.output<typeof body>>, "body" | "json">;

function plan(
  context: Context<MediaPlanService>,
  { body, json }: Submission,
  trace: MediaTrail,
): Promise<PreparedWork> {
  const ask = decodeChatstyleVideo(body);
  const { input_reference: reference } = json.value;
  const parts: VideoPart[] = [...ask.parts];
  if (isFile(reference)) {
    const source = toInline(parse(z.object({ input_reference: imageFile }), json.value).input_reference);
    parts.push({ type: "image", role: "referenceImage", source, at: "/input_reference" });
  }
  return planVideo(context, { ...ask, parts }, json, {
    names: chatstyleVideoNames,
    wires: ["routerstyle"],
    trace,
  });
}

async function submit(
  context: Context<MediaService>,
  { body }: Submission,
  work: PreparedWork,
): Promise<Answer> {
  const shown = { content: [{ type: "text", text: body.prompt }] };
  const view = await accepted(context, await begin(context, work, { shown }));
  return { headers: headersOf(view, work), body: videoJobOf(context, view) };
}

/** Routes for videos on the chat-style surface. */
export const chatVideoRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/videos",
    access: "key",
    summary: "Submit a video job",
    body: body.meta({ id: "VideoRequest" }),
    form: true,
    limits: bodyLimits,
    answer: videoJob,
    examples: {
      "from text": {
        body: { model: "sim-video-router", prompt: "A paper boat.", seconds: "5", size: "1280x720" },
      },
    },
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: planned(plan, submit),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/videos",
    access: "key",
    summary: "List the video jobs of the account",
    query: pageQuery.pick({ limit: true }).extend({
      after: z.string().max(512).optional().describe("The id of the last job of the previous page."),
    }),
    answer: z.looseObject({ object: z.literal("list"), data: z.array(videoJob), has_more: z.boolean() }),
    examples: { first: {} },
    uses: ["base", "media"],
    handler: async (context, { query }) => ({ body: await listVideos(context, query) }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/videos/:id",
    access: "key",
    summary: "Poll a video job",
    params: id,
    answer: videoJob,
    uses: ["base", "media"],
    handler: async (context, { params }) => ({
      body: videoJobOf(context, await readJob(context, params.id, "video")),
    }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/videos/:id",
    access: "key",
    summary: "Delete a video",
    about:
      "The files of a job that has ended are deleted; its record stays. A running job is cancelled, and what its provider has begun may still complete and be charged.",
    params: id,
    answer: z.object({ id: z.string(), object: z.literal("video.deleted"), deleted: z.literal(true) }),
    uses: ["media"],
    async handler(context, { params }) {
      const { id, endedAt } = await cancelJob(context, params.id, "video");
      const { accountId } = context.caller;
      if (endedAt !== undefined) await mediaOf(context.services).jobs.removeFiles({ id, accountId });
      return { body: { id: params.id, object: "video.deleted", deleted: true } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/videos/:id/content",
    access: "key",
    summary: "Download a finished video",
    params: id,
    query: z.object({
      index: z
        .string()
        .regex(/^\d{1,3}$/, "must be a whole number from 0 up")
        .transform(Number)
        .default(0),
      variant: z
        .literal("video", { error: 'must be "video": no thumbnails and spritesheets are made' })
        .optional(),
    }),
    also: { "video/mp4": z.string().describe("The bytes of the video; `Range` is honoured.") },
    uses: ["media"],
    handler: (context, { params, query }) => downloadVideo(context, params.id, query.index),
  }),
];
