import {
  chatstyleVideoNames,
  chatstyleVideoSchema,
  decodeChatstyleVideo,
  encodeChatstyleVideo,
  imageTypes,
  isObject,
  type JsonObject,
  toInline,
  type VideoPart,
} from "@manifold/core";
import { serveObject } from "@manifold/store";
import { z } from "zod";
import { pageQuery } from "../account/paging.ts";
import type { Answer, Context } from "../context.ts";
import { bodyLimits } from "../http/body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { pour } from "../http/stream.ts";
import { parse } from "../input.ts";
import type { JobView } from "../jobs/index.ts";
import { accepted, failureOf } from "../media/ended.ts";
import { mediaOf } from "../media/media.ts";
import { planVideo } from "../media/video.ts";
import { begin, headersOf } from "../media/work.ts";
import { defineRoute, type Input, type Route } from "../route.ts";
import { storable } from "../text/storable.ts";
import { readJob } from "./media.ts";
import { videoJob } from "./shapes/media.ts";

/** A form may bring the reference itself, where JSON has its address. */
const file = z.object({ data: z.base64().min(1), mediaType: z.enum(imageTypes) });
const isFile = (reference: unknown): boolean => isObject(reference) && "data" in reference;

const withoutFile = (body: unknown): unknown => {
  if (!isObject(body) || !isFile(body.input_reference)) return body;
  const { input_reference: _, ...rest } = body;
  return rest;
};
const body = z.preprocess(withoutFile, chatstyleVideoSchema);

const id = z.object({ id: z.string().describe("As the order was answered.") });

/** A job as this wire shows it: all addresses are on the host that was asked. */
function jobOf({ services, exchange }: Context, view: JobView): JsonObject {
  const { id, taskId = id, state, video, outputs, error, deadline } = view;
  const own = `${services.base ?? originOf(exchange.header("host"))}/api/chatstyle/v1/videos/${encodeURIComponent(taskId)}`;
  return {
    ...encodeChatstyleVideo({
      id: taskId,
      pollingUrl: own,
      state,
      expired: error?.kind === "expired",
      generationId: id,
      urls: outputs.map((_, index) => `${own}/content?index=${index}`),
      result: video,
      error: error?.message,
    }),
    object: "video",
    model: view.model,
    created_at: Math.floor(view.createdAt / 1000),
    ...(view.endedAt !== undefined &&
      state === "succeeded" && { completed_at: Math.floor(view.endedAt / 1000) }),
    expires_at: Math.floor(deadline / 1000),
  };
}

const originOf = (host: string | undefined): string => `http://${host ?? "localhost"}`;

type Submission = Pick<Input<unknown, unknown, z.output<typeof body>>, "body" | "json">;

async function submit(context: Context, { body, json }: Submission): Promise<Answer> {
  const ask = decodeChatstyleVideo(body);
  const { input_reference: reference } = json.value;
  const parts: VideoPart[] = [...ask.parts];
  if (isFile(reference)) {
    const source = toInline(parse(z.object({ input_reference: file }), json.value).input_reference);
    parts.push({ type: "image", role: "referenceImage", source, at: "/input_reference" });
  }
  const work = await planVideo(context, { ...ask, parts }, storable(json), {
    names: chatstyleVideoNames,
    wires: ["routerstyle"],
  });
  const shown = { content: [{ type: "text", text: body.prompt }] };
  const view = await accepted(context, await begin(context, { ...work, shown }));
  return { headers: headersOf(view, work), body: jobOf(context, view) };
}

const listed = ({ services, caller }: Context, offset: number, limit: number) =>
  mediaOf(services).jobs.list({ accountId: caller.accountId, kinds: ["video"] }, { offset, limit });

/** How many jobs are looked through at a time, and how often, for where a page begins. */
const LOOK = { page: 100, pages: 100 };

/** Where the list goes on behind a job. */
async function placeAfter(context: Context, after: string): Promise<number> {
  for (let page = 0; page < LOOK.pages; page++) {
    const { results } = await listed(context, page * LOOK.page, LOOK.page);
    const index = results.findIndex(({ id, taskId }) => id === after || taskId === after);
    if (index >= 0) return page * LOOK.page + index + 1;
    if (results.length < LOOK.page) break;
  }
  throw new Refusal(404, `after: there is no video job ${quote(after)}.`, {
    param: "after",
    code: "not_found",
  });
}

/** The bytes of a finished video: our copy of it, whole or in part. */
async function download(context: Context, taskId: string, index: number): Promise<Answer | undefined> {
  const { exchange, services } = context;
  const view = await readJob(context, taskId, "video");
  if (view.state === "failed" || view.state === "cancelled") throw failureOf(view);
  if (view.state !== "succeeded")
    throw new Refusal(409, "The video is not ready yet: poll its job until it is completed.", {
      headers: { "retry-after": "2" },
      code: "video_not_ready",
    });
  if (view.expired) throw new Refusal(410, "The video is not kept any more.", { code: "video_expired" });
  if (view.expired) throw new Refusal(404, "The video has expired: its file is not kept any more.");
  const output = view.outputs[index];
  if (!output)
    throw new Refusal(
      404,
      `The video has no output ${index}; there ${view.outputs.length === 1 ? "is one: index 0" : `are ${view.outputs.length}`}.`,
    );
  const request = { method: "GET", headers: { get: (name: string) => exchange.header(name) ?? null } };
  const { objects } = mediaOf(services);
  const answer = await serveObject(objects, output.key, request, { mediaType: output.mediaType });
  if (!answer.ok) throw new Refusal(answer.status, answer.message, { headers: answer.headers });
  if (!answer.body) return { status: answer.status, headers: answer.headers };
  await pour(exchange.sink, answer.status, answer.headers, answer.body);
  return undefined;
}

/** Videos on the chat-style surface. */
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
    handler: (context, ask) => submit(context, ask),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/videos",
    access: "key",
    summary: "List the video jobs of the account",
    query: pageQuery.pick({ limit: true }).extend({
      after: z.string().max(512).optional().describe("The id of the last job of the page before."),
    }),
    answer: z.looseObject({ object: z.literal("list"), data: z.array(videoJob), has_more: z.boolean() }),
    examples: { first: {} },
    handler: async (context, { query: { limit, after } }) => {
      const offset = after === undefined ? 0 : await placeAfter(context, after);
      const { results, total } = await listed(context, offset, limit);
      const data = results.map((view) => jobOf(context, view));
      const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
      return { body: { object: "list", data, ...ends, has_more: total > offset + limit } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/videos/:id",
    access: "key",
    summary: "Poll a video job",
    params: id,
    answer: videoJob,
    handler: async (context, { params }) => ({
      body: jobOf(context, await readJob(context, params.id, "video")),
    }),
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
    }),
    also: { "video/mp4": z.string().describe("The bytes of the video; `Range` is honoured.") },
    handler: (context, { params, query }) => download(context, params.id, query.index),
  }),
];
