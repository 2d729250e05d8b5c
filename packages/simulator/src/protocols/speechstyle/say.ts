import * as z from "zod";
import { checked } from "../../check/body.ts";
import { plainText } from "../../directives.ts";
import { cutBytes, secondsOf, soundOf } from "../../media/sound.ts";
import { begin } from "../../media/studio.ts";
import type { Asked, Chunk, MediaCall } from "../protocol.ts";
import { CODES, fault, spell } from "./errors.ts";

const rate = z.int().min(-50).max(100).optional();
export const LANGUAGES = "crosslingual zh-cn en ja ko es es-mx id pt pt-br de fr it ru tr vi th".split(" ");

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
  return checked(additions, parsed, spell);
}

const ERRORS = { moderation: String(CODES.moderation), internal: String(CODES.server) };
const PIECES = 6;

interface Sentence {
  text: string;
  words: { word: string; startTime: number; endTime: number }[];
}

function sentenceOf(text: string, seconds: number): Sentence {
  const words = text.split(/\s+/).filter(Boolean);
  const at = (index: number): number => Math.round((seconds * index * 1000) / words.length) / 1000;
  return {
    text,
    words: words.map((word, index) => ({ word, startTime: at(index), endTime: at(index + 1) })),
  };
}

type Framing = "lines" | "events";

/** A text, said piece by piece. Whatever fails behind the door fails inside the stream. */
const say =
  (framing: Framing) =>
  (call: MediaCall): Asked => {
    const { headers } = call;
    const { req_params: asked } = checked(schema, call.body, spell);
    const extra = additionsOf(asked.additions);
    const { text, speaker, audio_params: audio = {} } = asked;
    const resource = headers["x-api-resource-id"] ?? "";
    const row = RESOURCES.find(([pattern]) => pattern.test(resource));
    if (!row) throw fault(CODES.grant, `[resource_id=${resource}] requested resource not granted`, 403);
    if (!row[1].test(speaker))
      throw fault(CODES.server, "resource ID is mismatched with speaker related resource");
    if ([...text].length > LONGEST) throw fault(CODES.tooLong, "TTSExceededTextLimit: the text is too long");
    if (extra.context_texts?.length && !resource.includes("2.0"))
      throw fault(CODES.parameter, "context_texts is not supported by this resource", 400);
    call.entry.model = resource;
    return {
      text,
      stream: true,
      answer: (outcome, withUsage) => {
        const plain = plainText(text);
        const { format = "mp3", sample_rate = 24_000, speech_rate = 0 } = audio;
        const words = [...text].length;
        const silence = (extra.silence_duration ?? 0) / 1000;
        const seconds = secondsOf(text, 1 + speech_rate / 100) + silence;
        const kind = format === "ogg_opus" ? "opus" : format;
        const { output, bytes } = soundOf(kind, seconds, sample_rate, call.hash, outcome);
        const begun = { ...call, model: resource };
        const work = begin(begun, {
          outcome,
          errors: ERRORS,
          make: () => ({ outputs: outcome.silent ? [] : [output], billed: { text_words: words } }),
        });
        call.studio.works.finish(work, call.now);
        const failed = work.state !== "succeeded";
        const sound = outcome.silent ? Buffer.alloc(0) : bytes();
        const parts = failed ? [] : cutBytes(sound, PIECES);
        const asks = headers["x-control-require-usage-tokens-return"] !== undefined;
        const usage = asks && withUsage ? { usage: { text_words: words } } : {};
        const end = failed
          ? { code: Number(work.error?.code) || CODES.server, message: work.error?.message ?? work.state }
          : { code: CODES.done, message: "OK", data: null, ...usage };
        const told =
          audio.enable_subtitle || audio.enable_timestamp ? sentenceOf(plain, seconds) : { text: plain };
        const own = { "x-tt-logid": call.hash.slice(0, 32) };
        const chunk = (event: string, data: object, part?: Chunk["part"]): Chunk => ({
          ...(framing === "events" ? { event } : {}),
          data,
          part,
        });
        const sentence =
          failed || framing === "lines"
            ? []
            : [chunk("350", { code: 0, message: "", data: null, sentence: { text: plain } })];
        const contents = parts.map((bytes_) =>
          chunk("352", { code: 0, message: "", data: bytes_.toString("base64") }, "content"),
        );
        const after = failed ? [] : [chunk("351", { code: 0, message: "", data: null, sentence: told })];
        const chunks = [...sentence, ...contents, ...after, chunk(failed ? "153" : "152", end, "done")];
        return { usage: { input: words }, headers: own, chunks, framing };
      },
    };
  };

export const sayInLines = say("lines");
export const sayInEvents = say("events");
