import * as z from "zod";
import { decodeAnyBase64 } from "../../check/media.ts";
import { checkRules, type Rule } from "../../check/rule.ts";
import { filmOf } from "../../media/film.ts";
import type { MediaJob } from "../../media/media-jobs.ts";
import { begin, readJob } from "../../media/media-store.ts";
import { Refusal } from "../../refusal.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { checked } from "./read.ts";

const image = z.strictObject({
  bytesBase64Encoded: z
    .string()
    .refine((text) => decodeAnyBase64(text) !== undefined, "Base64 decoding failed"),
  mimeType: z.enum(["image/png", "image/jpeg", "image/webp"]),
});
const schema = z.strictObject({
  instances: z
    .array(
      z.strictObject({
        prompt: z.string().min(1),
        image: image.optional(),
        lastFrame: image.optional(),
        referenceImages: z
          .array(z.strictObject({ image, referenceType: z.enum(["asset", "style"]) }))
          .max(3)
          .optional(),
      }),
    )
    .length(1),
  parameters: z
    .strictObject({
      aspectRatio: z.enum(["16:9", "9:16"]).optional(),
      resolution: z.enum(["720p", "1080p", "4k"]).optional(),
      durationSeconds: z.literal([4, 6, 8]).optional(),
      seed: z.int().min(0).optional(),
      negativePrompt: z.string().optional(),
      personGeneration: z.enum(["allow_all", "allow_adult", "dont_allow"]).optional(),
      sampleCount: z.int().min(1).max(4).optional(),
      generateAudio: z.boolean().optional(),
    })
    .optional(),
});
type Body = z.infer<typeof schema>;

const EDGES = { "720p": [1280, 720], "1080p": [1920, 1080], "4k": [3840, 2160] } as const;

const rules: Rule<Body, string>[] = [
  {
    field: "parameters.durationSeconds",
    broken: ({ instances: [one], parameters: { durationSeconds = 8, resolution = "720p" } = {} }) =>
      durationSeconds !== 8 && (resolution !== "720p" || one?.referenceImages !== undefined),
    message: "`durationSeconds` must be 8 for 1080p, 4k and reference images.",
  },
  {
    field: "instances[0].lastFrame",
    broken: ({ instances: [one] }) => one?.lastFrame !== undefined && one.image === undefined,
    message: "`lastFrame` needs `image`.",
  },
  {
    field: "instances[0].referenceImages",
    broken: ({ instances: [one] }) => one?.referenceImages !== undefined && one.image !== undefined,
    message: "`referenceImages` and `image` cannot both be set.",
  },
];

/** The platform that serves models by predictions hands films over in the operation, and can leave out their sound. */
const isPrediction = ({ url }: MediaCall): boolean => !url.pathname.startsWith("/v1beta/");

const nameOf = (call: MediaCall, id: string): string => {
  const name = `models/${call.model}/operations/${id}`;
  return isPrediction(call) ? `projects/p/locations/global/publishers/google/${name}` : name;
};

const ERRORS = { moderation: "RAI", internal: "13" };
const LIFE = 2 * 24 * 3600;

/** Starts a film; the answer names the operation to poll. */
export function startFilm(call: MediaCall): AcceptedRequest {
  const body = checked(schema, call.body);
  checkRules(rules, body, call.model);
  if (body.parameters?.generateAudio !== undefined && !isPrediction(call))
    throw new Refusal("invalid", "`generateAudio` isn't supported by this model.", {
      field: "parameters.generateAudio",
    });
  const {
    aspectRatio = "16:9",
    resolution = "720p",
    durationSeconds = 8,
    sampleCount = 1,
    generateAudio: audio = true,
  } = body.parameters ?? {};
  const [w, h] = EDGES[resolution];
  const size = aspectRatio === "16:9" ? ([w, h] as const) : ([h, w] as const);
  return {
    text: body.instances[0]!.prompt,
    answer: (outcome) => {
      const seconds = outcome.seconds ?? durationSeconds;
      const job = begin(call, {
        outcome,
        errors: ERRORS,
        id: (hash) => hash.slice(0, 16),
        make: (begun) => {
          const films = Array.from({ length: outcome.silent ? 0 : sampleCount }, (_, index) =>
            filmOf({ size, seconds, frames: seconds * 24, audio }, `${begun.id} ${index}`, outcome),
          );
          return {
            outputs: films.map(({ output }) => output),
            billed: { seconds: seconds * films.length },
            detail: { films },
          };
        },
      });
      return { body: { name: nameOf(call, job.id) } };
    },
  };
}

const isFilm = (job: MediaJob): boolean => job.operation === "video" && job.protocol === "genstyle";

function responseOf(call: MediaCall, job: MediaJob): object {
  if (job.state === "failed" && job.error?.code !== ERRORS.moderation)
    return {
      error: { code: Number(job.error?.code) || 13, message: job.error?.message ?? "Internal error" },
    };
  if (job.state === "expired" || job.state === "cancelled") return { error: { code: 1, message: job.state } };
  const filtered = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["The video was filtered."] };
  if (isPrediction(call)) {
    const { films = [] } = call.mediaStore.jobs.detail(job) as { films?: ReturnType<typeof filmOf>[] };
    const videos = films.map((film) => ({
      bytesBase64Encoded: film.bytes().toString("base64"),
      mimeType: "video/mp4",
    }));
    return { response: videos.length > 0 ? { videos } : filtered };
  }
  const samples = job.outputs.map((_, index) => ({
    video: { uri: `${call.origin}/v1beta/files/${job.id}-${index}:download?alt=media` },
  }));
  const generated = samples.length > 0 ? { generatedSamples: samples } : filtered;
  return {
    response: { "@type": "type.googleapis.com/PredictLongRunningResponse", generateVideoResponse: generated },
  };
}

const operation = z.strictObject({ operationName: z.string() });

/** Reads an operation: by its path, or by its name in the body. */
export function readFilm(call: MediaCall): AcceptedRequest {
  const named = isPrediction(call)
    ? checked(operation, call.body).operationName.split("/").at(-1)
    : undefined;
  return {
    text: "",
    answer: () => {
      const { id = named ?? "" } = call.params;
      const job = readJob(call, id, (one) => isFilm(one) && one.model === call.model);
      const name = nameOf(call, id);
      if (!job) throw new Refusal("missing", `Operation ${name} is not found.`);
      const done = job.state !== "queued" && job.state !== "running";
      return { body: { name, ...(done ? { done, ...responseOf(call, job) } : {}) } };
    },
  };
}

/** A film's bytes, for those who bring the key, for two days. */
export function downloadFilm(call: MediaCall): AcceptedRequest {
  return {
    text: "",
    answer: () => {
      const [id = "", index = ""] = (call.params.file ?? "").split("-");
      const job = call.mediaStore.jobs.find(id);
      const output = job && isFilm(job) ? job.outputs[Number(index)] : undefined;
      if (
        !job ||
        !output ||
        job.outcome.gone ||
        call.now - job.updated > (job.outcome.lifetime ?? LIFE) * 1000
      )
        throw new Refusal("missing", `File ${call.params.file} is not found or has expired.`);
      const { films } = call.mediaStore.jobs.detail(job) as { films: ReturnType<typeof filmOf>[] };
      const done = () => {
        output.downloads += 1;
      };
      return { type: output.type, bytes: films[Number(index)]!.bytes(), done };
    },
  };
}
