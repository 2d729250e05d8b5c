import * as z from "zod";
import { checked } from "../../check/body.ts";
import { decodeBase64, sniff } from "../../check/media.ts";
import { pictureSize } from "../../check/picture.ts";
import { begin, publish } from "../../media/media-store.ts";
import { secondsOf, soundOf } from "../../media/sound.ts";
import { plainText } from "../../script/directives.ts";
import type { AcceptedRequest, MediaCall } from "../protocol.ts";
import { CODES, fault, toRefusal } from "./errors.ts";

const reference = z.strictObject({
  speaker: z.string().optional(),
  audio_url: z.string().optional(),
  audio_data: z.string().optional(),
  image_url: z.string().optional(),
  image_data: z.string().optional(),
});
type Reference = z.infer<typeof reference>;

const rate = z.int().min(-50).max(100).optional();
const schema = z.strictObject({
  model: z.enum(["seed-audio-1.0-multilingual", "seed-audio-1.0"]),
  text_prompt: z.string().min(1),
  references: z.array(reference).max(3).optional(),
  audio_config: z
    .strictObject({
      format: z.enum(["wav", "mp3", "pcm", "ogg_opus"]).optional(),
      sample_rate: z.literal([8000, 16000, 24000, 32000, 44100, 48000]).optional(),
      speech_rate: rate,
      loudness_rate: rate,
      pitch_rate: z.int().min(-12).max(12).optional(),
      enable_subtitle: z.boolean().optional(),
    })
    .optional(),
  watermark: z.record(z.string(), z.unknown()).optional(),
});

const LONGEST = 3000;
const LONGEST_SECONDS = 120;
const LARGEST = 10 * 1024 * 1024;
const FEWEST_PIXELS = 160_000;
const TWO_HOURS = 2 * 3600;
const SPEAKER = /_uranus_bigtts$|^saturn_.*_tob$|^S_/;

const parameter = (message: string) => fault(CODES.parameter, message, 400);

function inline(text: string, field: string): Buffer {
  const bytes = decodeBase64(text);
  if (!bytes || bytes.length === 0) throw parameter(`${field} is not valid base64`);
  if (bytes.length > LARGEST) throw parameter(`${field} is larger than 10 MB`);
  return bytes;
}

function checkReference(input: Reference, at: string): "image" | "audio" {
  const set = Object.entries(input).filter(([, value]) => value !== undefined);
  if (set.length !== 1)
    throw parameter(`${at} must have exactly one of ${Object.keys(reference.shape).join(", ")}`);
  const [name, value] = set[0] as [keyof Reference, string];
  const field = `${at}.${name}`;
  if (name === "speaker" && !SPEAKER.test(value)) throw fault(CODES.speaker, `speaker ${value} is not found`);
  if (name.endsWith("_url")) {
    if (!/^https?:\/\/\S+$/.test(value)) throw parameter(`${field} is not an http(s) URL`);
    if (value.includes("missing"))
      throw fault(CODES.download, `the reference ${value} could not be downloaded`);
  }
  if (name === "audio_data") {
    const type = sniff(inline(value, field)) ?? "";
    if (!type.startsWith("audio/")) throw fault(CODES.audio, `${field} could not be read as audio`);
  }
  if (name === "image_data") {
    const bytes = inline(value, field);
    const type = sniff(bytes) ?? "";
    if (!["image/png", "image/jpeg", "image/webp"].includes(type))
      throw parameter(`${field} must be jpeg, png or webp`);
    const { width = 0, height = 0 } = pictureSize(type, bytes) ?? {};
    if (width * height < FEWEST_PIXELS) throw parameter(`${field} has fewer than ${FEWEST_PIXELS} pixels`);
  }
  return name.startsWith("image") ? "image" : "audio";
}

function checkReferences(references: Reference[], prompt: string): void {
  const kinds = references.map((one, index) => checkReference(one, `references[${index}]`));
  const images = kinds.filter((kind) => kind === "image").length;
  if (images > 1 || (images === 1 && kinds.length > 1))
    throw parameter("references takes up to three sounds or exactly one image, not both");
  const named = [...prompt.matchAll(/@Audio(\d+)/g)].map(([, number]) => Number(number));
  const beyond = named.find((number) => number < 1 || number > kinds.length - images);
  if (beyond !== undefined)
    throw parameter(`text_prompt names @Audio${beyond}, which is not among the references`);
}

/** Times are in milliseconds. */
function subtitleOf(text: string, seconds: number) {
  const words = text.split(/\s+/).filter(Boolean);
  const at = (index: number): number => Math.round((seconds * 1000 * index) / Math.max(1, words.length));
  const whole = { text, start_time: 0, end_time: Math.round(seconds * 1000) };
  const timed = words.map((word, index) => ({ text: word, start_time: at(index), end_time: at(index + 1) }));
  return { text, sentences: [{ ...whole, words: timed }] };
}

const ERRORS = { moderation: String(CODES.moderation), internal: String(CODES.server) };

/** Sound from a description and references. The client waits for it. */
export function createSound(call: MediaCall): AcceptedRequest {
  const { text_prompt, references = [], audio_config: config = {} } = checked(schema, call.body, toRefusal);
  if ([...text_prompt].length > LONGEST) throw fault(CODES.promptTooLong, "text_prompt is too long");
  checkReferences(references, text_prompt);
  return {
    text: text_prompt,
    answer: (outcome) => {
      const { format = "wav", speech_rate = 0, enable_subtitle } = config;
      const raw = format === "wav" || format === "pcm";
      const sample_rate = config.sample_rate ?? (raw ? 40_000 : 24_000);
      const plain = plainText(text_prompt);
      const original = Math.min(LONGEST_SECONDS, secondsOf(plain));
      const seconds = outcome.seconds ?? Math.round((original / (1 + speech_rate / 100)) * 100) / 100;
      const kind = format === "ogg_opus" ? "opus" : format;
      const { output, bytes } = soundOf(kind, seconds, sample_rate, call.hash, outcome);
      const job = begin(call, {
        outcome,
        errors: ERRORS,
        make: () => ({ outputs: outcome.silent ? [] : [output], billed: { seconds: original } }),
      });
      call.mediaStore.jobs.finish(job, call.now);
      const headers = { "x-tt-logid": call.hash.slice(0, 32) };
      if (job.state !== "succeeded") {
        const { code = "", message = job.state } = job.error ?? {};
        return { headers, body: { code: Number(code) || CODES.server, message } };
      }
      const url = outcome.silent ? undefined : publish(call, { job, output, bytes, lifetime: TWO_HOURS });
      return {
        headers,
        body: {
          code: 0,
          message: "Success",
          ...(url === undefined ? {} : { url, audio: bytes().toString("base64") }),
          duration: seconds,
          original_duration: original,
          ...(enable_subtitle ? { subtitle: subtitleOf(plain, seconds) } : {}),
        },
      };
    },
  };
}
