import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  encodeAudioJob,
  encodeVoices,
  generationWithReferenceSchema,
  type SpeechAsk,
  type SpeechProduct,
  textToSpeechSchema,
  voiceQuerySchema,
  voiceSchema,
} from "@manifold-gateway/core/operations";
import { z } from "zod";
import { pageQuery } from "../account/paging.ts";
import { bodyLimits } from "../http/body.ts";
import { planned } from "../media/explain.ts";
import { mediaOf } from "../media/media.ts";
import type { MediaTrail } from "../media/resolve.ts";
import { type MediaPlanService, mediaServices } from "../media/services.ts";
import { planSpeech } from "../media/speech.ts";
import type { PreparedWork } from "../media/work.ts";
import type { Context } from "../ports/context.ts";
import type { JobView } from "../ports/jobs.ts";
import { defineRoute, type Example, type Input, type Route } from "../route.ts";
import { jobRows, startJob } from "./media.ts";
import { page } from "./shapes/account.ts";
import { audioJob } from "./shapes/media.ts";
import { transcriptionRoute } from "./transcription.ts";

/** How long providers' links to audio are valid, in milliseconds: about two hours. */
const PROVIDER_LINK = 2 * 3_600_000;

/** A job as its owner reads it. The provider's link is left out after it has expired. */
function jobOf({ id, state, shown, outputs, speech, error, endedAt = 0 }: JobView, now: number): JsonObject {
  const { providerUrl, ...made } = speech ?? { mediaType: "" };
  const isFresh = providerUrl !== undefined && now < endedAt + PROVIDER_LINK;
  const status = { running: "processing", cancelled: "failed" } as const;
  const audioUrl = outputs[0]?.downloadUrl;
  return encodeAudioJob({
    generationId: id,
    product: shown.product as SpeechProduct,
    status: state === "running" || state === "cancelled" ? status[state] : state,
    ...(audioUrl !== undefined && { audioUrl }),
    ...(speech && { output: { ...made, ...(isFresh && { providerUrl }) } }),
    ...(shown.enableSubtitle === true && { enableSubtitle: true }),
    ...(error && { error: error.message }),
  });
}

type Order = Pick<Input<unknown, unknown, SpeechAsk>, "body" | "json">;

function plan(
  context: Context<MediaPlanService>,
  { body, json }: Order,
  trace: MediaTrail,
): Promise<PreparedWork> {
  const { voices } = mediaOf(context.services);
  return planSpeech(context, body, { json, voices, trace });
}

const order = (
  product: SpeechProduct,
  summary: string,
  body: z.ZodType<SpeechAsk>,
  examples: Record<string, Example>,
) =>
  defineRoute({
    method: "POST",
    path: `/audio/${product}`,
    access: "caller",
    summary,
    about: "Poll the job until its `status` is `succeeded` or `failed`.",
    body,
    limits: bodyLimits,
    statuses: [202],
    answer: z.object({ generationId: z.string() }),
    examples,
    generates: true,
    explains: true,
    uses: mediaServices,
    handler: planned(plan, (context, _: Order, work) => startJob(context, work)),
  });

const list = (path: string, summary: string, live: boolean): Route =>
  defineRoute({
    method: "GET",
    path,
    access: "caller",
    summary,
    query: pageQuery,
    answer: page(audioJob),
    examples: { first: {} },
    uses: ["media", "now"],
    handler: async ({ services, caller }, { query: { offset, limit } }) => {
      const filter = { accountId: caller.accountId, kinds: ["speech" as const], live };
      const { results, total } = await mediaOf(services).jobs.list(filter, { offset, limit });
      const now = services.now();
      return { body: { results: results.map((view) => jobOf(view, now)), total, offset, limit } };
    },
  });

/** Routes for speech on the native interface. */
export const audioRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/audio/voices",
    access: "caller",
    summary: "List the voices",
    query: voiceQuerySchema,
    answer: z.object({ voices: z.array(voiceSchema.meta({ id: "Voice" })), total: z.int() }),
    examples: { all: {}, some: { query: { language: "en", resourceId: "seed-tts-2.0" } } },
    uses: ["media"],
    handler: ({ services }, { query }) => ({ body: encodeVoices(mediaOf(services).voices, query) }),
  }),
  order(
    "text-to-speech",
    "Create a text-to-speech job",
    textToSpeechSchema.meta({ id: "TextToSpeechRequest" }),
    {
      short: { body: { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." } },
    },
  ),
  order(
    "generation-with-reference",
    "Create a speech job with references",
    generationWithReferenceSchema.meta({ id: "GenerationWithReferenceRequest" }),
    {
      subtitled: {
        body: { model: "seed-audio-1.0-multilingual", textPrompt: "Say hello.", enableSubtitle: true },
      },
    },
  ),
  transcriptionRoute,
  list("/audio/generations", "List the finished audio jobs", false),
  list("/audio/generations/pending", "List the audio jobs that are running", true),
  ...jobRows({
    kind: "speech",
    path: "/audio/generations/:generationId",
    id: "generationId",
    read: "Get an audio job",
    cancel: "Cancel an audio job",
    answer: audioJob,
    show: jobOf,
  }),
];
