import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  decodeNativeVideo,
  encodeNativeVideo,
  nativeVideoSchema,
  storableContent,
} from "@manifold-gateway/core/operations";
import { toUsd } from "@manifold-gateway/store";
import type { z } from "zod";
import { amountOf } from "../billing/amounts.ts";
import { bodyLimits } from "../http/body.ts";
import { momentOf } from "../http/moments.ts";
import { planned } from "../media/explain.ts";
import { accepted } from "../media/job-answer.ts";
import type { MediaTrail } from "../media/resolve.ts";
import { type MediaPlanService, mediaPlanServices, mediaServices } from "../media/services.ts";
import { planVideo } from "../media/video.ts";
import { begin, headersOf, type PreparedWork } from "../media/work.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { defineRoute, type Input, type Route } from "../route.ts";
import { jobRows } from "./media.ts";
import { videoEstimate, videoTask } from "./shapes/media.ts";

const body = nativeVideoSchema.meta({ id: "VideoGenerationRequest" });
type Ask = Pick<Input<unknown, unknown, z.output<typeof body>>, "body" | "json">;

const plan = (context: Context<MediaPlanService>, { body, json }: Ask, trace: MediaTrail = {}) =>
  planVideo(context, decodeNativeVideo(body), json, { trace });

/** A job in the native interface's format. */
const taskOf = ({
  id,
  taskId = id,
  entry,
  state,
  model,
  shown,
  video,
  error,
  ...times
}: JobView): JsonObject =>
  encodeNativeVideo({
    taskId,
    generationId: id,
    providerId: entry?.provider ?? "",
    state,
    model,
    content: (shown.content ?? []) as JsonObject[],
    ...(!shown.content && { contentKept: false }),
    result: video,
    error: error?.message,
    createdAt: momentOf(times.createdAt),
    updatedAt: momentOf(times.updatedAt),
  });

async function generate(
  context: Context<"id" | "media" | "now" | "protocols" | "routing">,
  { body }: Ask,
  work: PreparedWork,
): Promise<Answer> {
  const shown = { content: storableContent(body.content) };
  const view = await accepted(context, await begin(context, work, { shown }));
  return { headers: headersOf(view, work), body: taskOf(view) };
}

const content = [{ type: "text", text: "A paper boat on a stream." }];

/** Routes for videos on the native interface. */
export const videoRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/video/estimate",
    access: "caller",
    summary: "Estimate the cost of a video",
    about:
      "Accepts the body of a generation. Nothing is deducted or stored; the final charge is known when the video is done.",
    body,
    limits: bodyLimits,
    answer: videoEstimate,
    examples: { "from text": { body: { model: "sim-video", content, duration: 5, resolution: "720p" } } },
    uses: mediaPlanServices,
    handler: async (context, ask) => ({
      body: {
        data: { estimatedUserCost: toUsd(amountOf((await plan(context, ask)).opening)), currency: "USD" },
        success: true,
        status: 200,
      },
    }),
  }),
  defineRoute({
    method: "POST",
    path: "/video/generations",
    access: "caller",
    summary: "Create a video task",
    about: "Returns once the provider has accepted the job; poll the task until its `status` is final.",
    body,
    limits: bodyLimits,
    answer: videoTask,
    examples: { "from text": { body: { model: "sim-video", content, duration: 5 } } },
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: planned(plan, generate),
  }),
  ...jobRows({
    kind: "video",
    path: "/video/tasks/**:taskId",
    shown: "/video/tasks/{taskId}",
    id: "taskId",
    read: "Get a video task",
    cancel: "Cancel a video task",
    answer: videoTask,
    show: taskOf,
  }),
];
