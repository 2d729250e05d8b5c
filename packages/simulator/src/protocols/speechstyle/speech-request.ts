import * as z from "zod";
import { checked } from "../../check/body.ts";
import type { MediaCall } from "../protocol.ts";
import { CODES, fault, toRefusal } from "./errors.ts";

const rate = z.int().min(-50).max(100).optional();
const LANGUAGES = "crosslingual zh-cn en ja ko es es-mx id pt pt-br de fr it ru tr vi th".split(" ");

const schema = z.strictObject({
  user: z.strictObject({ uid: z.string() }).optional(),
  namespace: z.string().optional(),
  req_params: z.strictObject({
    text: z.string().min(1),
    model: z.string().optional(),
    speaker: z.string().min(1),
    audio_params: z
      .strictObject({
        format: z.enum(["mp3", "ogg_opus", "pcm"]).optional(),
        sample_rate: z.literal([8000, 16000, 22050, 24000, 32000, 44100, 48000]).optional(),
        bit_rate: z.int().optional(),
        speech_rate: rate,
        loudness_rate: rate,
        emotion: z.string().optional(),
        emotion_scale: z.number().min(1).max(5).optional(),
        enable_timestamp: z.boolean().optional(),
        enable_subtitle: z.boolean().optional(),
      })
      .optional(),
    additions: z.string().optional(),
  }),
});

const additions = z.strictObject({
  silence_duration: z.int().min(0).max(30_000).optional(),
  enable_language_detector: z.boolean().optional(),
  explicit_language: z.enum(LANGUAGES).optional(),
  context_language: z.string().optional(),
  disable_markdown_filter: z.boolean().optional(),
  disable_emoji_filter: z.boolean().optional(),
  post_process: z.strictObject({ pitch: z.int().min(-12).max(12).optional() }).optional(),
  context_texts: z.array(z.string()).optional(),
  cache_config: z.record(z.string(), z.unknown()).optional(),
  aigc_watermark: z.boolean().optional(),
  enable_latex_tn: z.boolean().optional(),
  max_length_to_filter_parenthesis: z.int().optional(),
  section_id: z.string().optional(),
});

const LONGEST = 10_000;

/** The voices of each resource, by the marks of their names. */
const RESOURCES: [pattern: RegExp, speakers: RegExp][] = [
  [/^seed-tts-2\.0(-concurr)?$/, /_uranus_bigtts$|^saturn_.*_tob$/],
  [/^seed-tts-1\.0(-concurr)?$/, /_(moon|mars)_bigtts$|^BV/],
  [/^seed-icl-[12]\.0(-concurr)?$/, /^S_/],
];

function additionsOf(text: string | undefined): z.infer<typeof additions> {
  if (text === undefined || text === "") return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw fault(CODES.parameter, "req_params.additions must be a JSON string.", 400);
  }
  return checked(additions, parsed, toRefusal);
}

/** A request to say something, once nothing is wrong with it. */
export interface SpeechRequest {
  text: string;
  resource: string;
  format: "mp3" | "pcm" | "opus";
  /** Hertz. */
  rate: number;
  /** 1 is the usual. */
  speed: number;
  /** Seconds of silence behind the text. */
  silence: number;
  timed: boolean;
}

/** Refuses what the vendor would, in its order: the form, the resource, the voice, the text. */
export function readSpeechRequest({ headers, body }: MediaCall): SpeechRequest {
  const {
    text,
    speaker,
    audio_params: audio = {},
    additions: added,
  } = checked(schema, body, toRefusal).req_params;
  const extra = additionsOf(added);
  const resource = headers["x-api-resource-id"] ?? "";
  const row = RESOURCES.find(([pattern]) => pattern.test(resource));
  if (!row) throw fault(CODES.grant, `[resource_id=${resource}] requested resource not granted`, 403);
  if (!row[1].test(speaker))
    throw fault(CODES.server, "resource ID is mismatched with speaker related resource");
  if ([...text].length > LONGEST) throw fault(CODES.tooLong, "TTSExceededTextLimit: the text is too long");
  if (extra.context_texts?.length && !resource.includes("2.0"))
    throw fault(CODES.parameter, "context_texts is not supported by this resource", 400);
  const { format = "mp3", sample_rate = 24_000, speech_rate = 0 } = audio;
  return {
    text,
    resource,
    format: format === "ogg_opus" ? "opus" : format,
    rate: sample_rate,
    speed: 1 + speech_rate / 100,
    silence: (extra.silence_duration ?? 0) / 1000,
    timed: audio.enable_subtitle === true || audio.enable_timestamp === true,
  };
}
