import * as z from "zod";
import { checked } from "../../check/body.ts";
import { checkRules, type Rule } from "../../check/rule.ts";
import { filmOf } from "../../media/film.ts";
import { hasEnded, type MediaJob } from "../../media/media-jobs.ts";
import { begin, readJob } from "../../media/media-store.ts";
import { sizeOf } from "../../media/picture.ts";
import { tokensOf, type VideoModel } from "../../media/video-models.ts";
import { Refusal } from "../../refusal.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { bad, ERRORS, toRefusal } from "./errors.ts";
import { capabilitiesOf, priceOf, routed } from "./models.ts";

const url = z.strictObject({ url: z.string().min(1) });
const schema = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1).max(32_000).optional(),
  duration: z.int().min(1).optional(),
  resolution: z.enum(["360p", "480p", "720p", "768p", "1080p", "1K", "2K", "4K"]).optional(),
  aspect_ratio: z.enum(["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3", "21:9", "9:21"]).optional(),
  size: z
    .string()
    .regex(/^\d+x\d+$/)
    .optional(),
  frame_images: z
    .array(
      z.strictObject({
        type: z.literal("image_url"),
        image_url: url,
        frame_type: z.enum(["first_frame", "last_frame"]),
      }),
    )
    .optional(),
  input_references: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("image_url"), image_url: url }),
        z.strictObject({ type: z.literal("audio_url"), audio_url: url }),
        z.strictObject({ type: z.literal("video_url"), video_url: url }),
      ]),
    )
    .optional(),
  generate_audio: z.boolean().optional(),
  seed: z.int().optional(),
  provider: z
    .strictObject({
      options: z
        .record(
          z.string(),
          z.strictObject({ watermark: z.boolean().optional(), req_key: z.string().optional() }),
        )
        .optional(),
    })
    .optional(),
  callback_url: z.url({ protocol: /^https$/ }).optional(),
});
type Body = z.infer<typeof schema>;

const one = (field: string, got: unknown, allowed: readonly unknown[]): string =>
  `${field}: expected one of ${allowed.join(", ")}, got ${String(got)}`;

const rules: Rule<Body, string>[] = [
  {
    broken: ({ duration }, model) => {
      const allowed = capabilitiesOf(model).supported_durations;
      return duration !== undefined && !allowed.includes(duration) && one("duration", duration, allowed);
    },
    message: "",
  },
  {
    broken: ({ resolution }, model) => {
      const allowed = capabilitiesOf(model).supported_resolutions;
      return (
        resolution !== undefined && !allowed.includes(resolution) && one("resolution", resolution, allowed)
      );
    },
    message: "",
  },
  {
    broken: ({ aspect_ratio: ratio }, model) => {
      const allowed = capabilitiesOf(model).supported_aspect_ratios;
      return ratio !== undefined && !allowed.includes(ratio) && one("aspect_ratio", ratio, allowed);
    },
    message: "",
  },
  {
    broken: ({ size }, model) => {
      const allowed = capabilitiesOf(model).supported_sizes;
      return size !== undefined && !allowed.includes(size) && one("size", size, allowed);
    },
    message: "",
  },
  {
    broken: ({ size, resolution, aspect_ratio }) =>
      size !== undefined && (resolution ?? aspect_ratio) !== undefined,
    message: "size: cannot be given together with resolution or aspect_ratio",
  },
  {
    broken: ({ frame_images = [] }, model) => {
      const allowed = capabilitiesOf(model).supported_frame_images;
      const wrong = frame_images.find(({ frame_type }) => !allowed.includes(frame_type));
      return wrong && one("frame_images", wrong.frame_type, allowed);
    },
    message: "",
  },
  {
    broken: ({ frame_images = [], input_references = [] }) =>
      frame_images.length > 0 && input_references.length > 0,
    message: "frame_images: cannot be given together with input_references",
  },
  {
    broken: ({ prompt, frame_images = [], input_references = [] }) =>
      prompt === undefined && frame_images.length + input_references.length === 0,
    message: "prompt: required when there are no images",
  },
];

function checkLinks({ frame_images = [], input_references = [] }: Body): void {
  for (const item of [...frame_images, ...input_references]) {
    const given =
      item.type === "image_url"
        ? item.image_url
        : item.type === "audio_url"
          ? item.audio_url
          : item.video_url;
    if (!/^(https?:\/\/\S+$|data:\w+\/)/.test(given.url))
      throw bad(item.type, "expected an http(s) URL or a data URL");
  }
}

function planOf(body: Body, model: VideoModel) {
  const resolution = (body.resolution ?? model.resolution).replace("4K", "4k");
  const size = sizeOf(body.size ?? "") ?? model.sizes[resolution]?.[body.aspect_ratio ?? "16:9"];
  return { size: size ?? ([1280, 720] as const), seconds: body.duration ?? 5 };
}

const STATES: Record<MediaJob["state"], string> = {
  queued: "pending",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

const PATH = "/api/v1/videos";
const head = ({ origin }: MediaCall, job: MediaJob) => ({
  id: job.id,
  polling_url: `${origin}${PATH}/${job.id}`,
  status: job.outcome.state !== undefined && !hasEnded(job) ? job.outcome.state : STATES[job.state],
});
const generation = (job: MediaJob): string => `gen-vid-${job.id.slice(4, 24)}`;

/** Starts a film; the answer is a job to poll. */
export function submit(call: MediaCall): AcceptedRequest {
  const body = checked(schema, call.body, toRefusal);
  checkRules(rules, body, call.model);
  checkLinks(body);
  const model = routed(call.model);
  return {
    text: body.prompt ?? "",
    answer: (outcome) => {
      const job = begin(call, {
        outcome,
        errors: ERRORS,
        id: (hash) => `vid_${hash.slice(0, 24)}`,
        make: (begun) => {
          const { size, seconds: planned } = planOf(body, model);
          const seconds = outcome.seconds ?? planned;
          const audio = model.audio && body.generate_audio !== false;
          const film = filmOf({ size, seconds, audio }, begun.id, outcome);
          const videos = (body.input_references ?? []).filter(({ type }) => type === "video_url").length;
          const tokens = tokensOf(model, { size, seconds, input: videos * 5 });
          const cost = Math.round(tokens * priceOf(call.model)) / 1e6;
          return {
            outputs: outcome.silent ? [] : [film.output],
            billed: { cost },
            detail: { film },
          };
        },
      });
      return { status: 202, body: head(call, job) };
    },
  };
}

const isJob = (job: MediaJob): boolean => job.operation === "video" && job.protocol === "routerstyle";
const missing = (id: string): Refusal => new Refusal("missing", `Video job ${id} not found`);

export function poll(call: MediaCall): AcceptedRequest {
  const { id = "" } = call.params;
  return {
    text: "",
    answer: (_, usage) => {
      const job = readJob(call, id, isJob);
      if (!job) throw missing(id);
      const done = job.state === "succeeded";
      const links = job.outputs.map((__, index) => `${call.origin}${PATH}/${id}/content?index=${index}`);
      return {
        body: {
          ...head(call, job),
          ...(done ? { generation_id: generation(job), unsigned_urls: links } : {}),
          ...(done && usage ? { usage: { ...job.billed, is_byok: false } } : {}),
          ...(job.error ? { error: `${job.error.code}: ${job.error.message}` } : {}),
        },
      };
    },
  };
}

/** The film itself. What is not ready conflicts, what is over is gone. */
export function content(call: MediaCall): AcceptedRequest {
  const { id = "" } = call.params;
  return {
    text: "",
    answer: () => {
      const job = call.mediaStore.jobs.find(id);
      if (!job || !isJob(job)) throw missing(id);
      if (!hasEnded(job)) throw new Refusal("invalid", `Video job ${id} is not ready`, { status: 409 });
      const index = Number(call.url.searchParams.get("index") ?? 0);
      if (!Number.isInteger(index) || index < 0) throw bad("index", "expected an integer of at least 0");
      const output = job.outputs[index];
      if (!output) throw missing(id);
      const life = (job.outcome.lifetime ?? Number.POSITIVE_INFINITY) * 1000;
      if (job.outcome.gone || call.now - job.updated > life)
        throw new Refusal("invalid", `The content of video job ${id} is gone`, { status: 410 });
      const { film } = call.mediaStore.jobs.detail(job) as { film: ReturnType<typeof filmOf> };
      const done = () => {
        output.downloads += 1;
      };
      return { type: output.type, bytes: film.bytes(), done };
    },
  };
}

const EXAMPLES = ["sim/video-2.0", "sim/video-2.0-fast", "sim/video-2.0-mini", "sim/video-1.5-pro"];

export function listModels(call: MediaCall): AcceptedRequest {
  const data = EXAMPLES.map((id) => ({
    id,
    canonical_slug: id,
    name: id,
    created: Math.floor(call.now / 1000),
    ...capabilitiesOf(id),
    pricing_skus: { video_tokens: String(priceOf(id) / 1e6) },
  }));
  return { text: "", answer: () => ({ body: { data } }) };
}
