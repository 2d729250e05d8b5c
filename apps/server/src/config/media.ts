import { isAddressRange, served, wires } from "@manifold-gateway/providers";
import { z } from "zod";
import { auth, credentials, headers, origin } from "./wire.ts";

const dollars = (hint = "") =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .refine((value) => value === 0 || value >= 0.000_001, {
      error: `must be 0, or at least 0.000001${hint}`,
    });
/** An amount of US dollars. Less than a micro-dollar cannot be counted, and is refused. */
export const usd = dollars();
/** A price in US dollars. One that is too small is probably that of a single token. */
export const unitPrice = dollars(": prices of tokens and characters are for 1,000,000 of them");
const wire = z.enum(wires);

const signing = z
  .strictObject({
    accessKey: z.string().min(1),
    secretKey: z.string().min(1),
    region: z.string().min(1),
    service: z.string().min(1),
    project: z.string().min(1).optional(),
  })
  .describe("The credentials of a service whose calls are signed instead of carrying a key.");

const service = z.strictObject({
  wire: wire.describe("The wire of its requests."),
  origin: origin
    .optional()
    .describe("Its base URL, if not its provider's. A path in it replaces the wire's own base path."),
  key: credentials.optional(),
  auth: auth.optional(),
  headers: headers.optional(),
  signing: signing.optional(),
  events: z.literal(true).optional().describe("True to request audio as server-sent events."),
  maxInputs: z
    .int()
    .min(1)
    .optional()
    .describe("The most inputs of one call for embeddings. Default: as many as the wire takes."),
});

/** The media services of a provider. */
export const serves = z
  .partialRecord(z.enum(served), z.union([wire, service]))
  .describe(
    "Its other operations, each with its wire: image, video, speech, asset, embed, transcription, rerank, moderation.",
  );

const fact = z.union([z.string(), z.number(), z.boolean()]);
const bounds = z.strictObject({ above: z.number(), upTo: z.number() }).partial();

/** The prices of a media model's work, by the variants that may be requested. */
export const tiers = (units: readonly string[]) =>
  z
    .array(
      z.strictObject({
        when: z.record(z.string(), z.union([fact, z.array(fact), bounds])).optional(),
        price: z.partialRecord(z.enum(units), unitPrice),
      }),
    )
    .min(1)
    .describe(
      "Prices by the requested variant (resolution, duration, pixels, quality, …): the first that matches applies.",
    );

const tokens = z.int().min(1);
const frame = z.tuple([z.int().min(1), z.int().min(1)]);
const longest = z.number().min(1).describe("The seconds of a video whose length the request leaves open.");

/** The counting of a media model's work. */
export const meter = z
  .union([
    z.strictObject({ by: z.literal("images") }),
    z.strictObject({
      by: z.literal("tokens"),
      output: z
        .union([tokens, z.record(z.string(), tokens)])
        .describe("Tokens of one image, per quality if they differ."),
      scaled: z
        .boolean()
        .optional()
        .describe("True if the tokens are those of 1024×1024 and grow with the pixels."),
      perInput: tokens.optional().describe("The most tokens of one input picture."),
      pixels: z
        .int()
        .min(1)
        .optional()
        .describe("The pixels of a picture whose size the request leaves open. Default: 1048576."),
    }),
    z.strictObject({ by: z.literal("seconds"), longest }),
    z.strictObject({ by: z.literal("videos"), longest }),
    z.strictObject({
      by: z.literal("sound"),
      least: z.number().min(0).optional().describe("The fewest seconds that a recording is billed as."),
      step: z.number().min(0.001).optional().describe("What its seconds are rounded up to a multiple of."),
    }),
    z.strictObject({
      by: z.literal("tokens"),
      longest,
      frames: z
        .record(z.string(), z.record(z.string(), frame))
        .describe("Width and height of a frame, by resolution and ratio."),
      rate: z.number().min(1).describe("Frames of a second."),
      longestInput: z
        .number()
        .min(0)
        .optional()
        .describe("The most seconds of all input videos, where their length is not known."),
      floor: z
        .number()
        .min(0)
        .optional()
        .describe("With input videos, the least that is billed, as a multiple of the seconds that come out."),
    }),
  ])
  .describe("The counting of images or videos before they are generated. Default: that of the known model.");

/** The settings for serving media. */
export const media = z
  .strictObject({
    public: z
      .boolean()
      .optional()
      .describe(
        "True if providers can open links to stored files. Default: with server.url, or a bucket, they can.",
      ),
    allow: z
      .array(z.string().refine(isAddressRange, { error: "is no range of addresses like 10.0.0.0/8" }))
      .default([])
      .describe("Private address ranges that are allowed in URLs of requests."),
    voices: z
      .string()
      .min(1)
      .optional()
      .describe("A file with the voice catalog, in place of the known voices."),
    runJobs: z
      .boolean()
      .default(true)
      .describe(
        "True to run jobs and batches in this process; otherwise it only accepts them for other processes.",
      ),
    retention: z
      .int()
      .min(1)
      .max(3_650)
      .default(30)
      .describe("Days for which outputs, identity assets and files are kept."),
    maxLiveJobs: z.int().min(1).default(200).describe("Running jobs of one account at one time."),
    maxLiveBatches: z.int().min(1).default(100).describe("Running batches of one account at one time."),
    batchLines: z
      .int()
      .min(1)
      .max(1_000)
      .default(64)
      .describe("Lines of batches that this process runs at one time."),
    poll: z
      .strictObject({ initial: z.int().min(10), max: z.int().min(10) })
      .optional()
      .describe("Milliseconds between two polls of a job: the first interval, and the longest."),
  })
  .prefault({});
