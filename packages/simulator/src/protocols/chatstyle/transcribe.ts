import * as z from "zod";
import { checked } from "../../check/body.ts";
import type { Upload } from "../../check/form.ts";
import { countTokens } from "../../content/tokens.ts";
import { make } from "../../media/media-store.ts";
import { subtitles, type Transcript, transcriptOf } from "../../media/transcript.ts";
import { Refusal } from "../../refusal.ts";
import { toRefusal } from "../family.ts";
import type { AcceptedRequest, Chunk, MediaAnswer, MediaCall } from "../protocol.ts";

const ERRORS = { moderation: "content_policy_violation", internal: "server_error" };
const MOST = 25 * 1024 * 1024;
/** Tokens of a second of sound. */
const PER_SECOND = 10;
/** The longest recording, in seconds, whose speakers are distinguished without cutting it. */
const UNCUT = 30;

const file = z.array(z.custom<Upload>()).length(1);
const texts = z.array(z.string());
const number = (most: number) => z.coerce.number().min(0).max(most);
const common = {
  file,
  model: z.string().min(1),
  prompt: z.string().optional(),
  temperature: number(1).optional(),
};
const transcription = z.strictObject({
  ...common,
  language: z.string().optional(),
  "languages[]": texts.optional(),
  "keywords[]": texts.optional(),
  response_format: z.enum(["json", "text", "srt", "verbose_json", "vtt", "diarized_json"]).optional(),
  "timestamp_granularities[]": z.array(z.enum(["word", "segment"])).optional(),
  "include[]": z.array(z.enum(["logprobs"])).optional(),
  stream: z.enum(["true", "false"]).optional(),
  chunking_strategy: z.string().optional(),
  "chunking_strategy[type]": z.enum(["server_vad"]).optional(),
  "chunking_strategy[prefix_padding_ms]": number(10_000).optional(),
  "chunking_strategy[silence_duration_ms]": number(10_000).optional(),
  "chunking_strategy[threshold]": number(1).optional(),
  "known_speaker_names[]": texts.max(4).optional(),
  "known_speaker_references[]": texts.max(4).optional(),
});
const translation = z.strictObject({
  ...common,
  response_format: z.enum(["json", "text", "srt", "verbose_json", "vtt"]).optional(),
});
type Options = z.infer<typeof transcription>;
type Format = NonNullable<Options["response_format"]>;

/** The formats of a model, by its name; those that are not known by theirs have all. */
function formatsOf(model: string): readonly Format[] {
  if (model.includes("whisper")) return ["json", "text", "srt", "verbose_json", "vtt"];
  if (model.includes("diarize")) return ["json", "text", "diarized_json"];
  if (model.includes("-transcribe")) return ["json"];
  return ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"];
}

const refusal = (message: string, field: string): Refusal =>
  new Refusal("invalid", message, { field, code: "unsupported_value" });

function check(options: Options, transcript: Transcript): void {
  const { model, response_format: format = "json", file: files } = options;
  const formats = formatsOf(model);
  if (!formats.includes(format))
    throw refusal(
      `response_format '${format}' is not compatible with model '${model}'. Use ${formats.map((one) => `'${one}'`).join(" or ")} instead.`,
      "response_format",
    );
  if (options["timestamp_granularities[]"] && format !== "verbose_json")
    throw refusal(
      "Timestamp granularities are only supported with response_format 'verbose_json'.",
      "timestamp_granularities",
    );
  const [{ bytes } = { bytes: Buffer.alloc(0) }] = files;
  if (bytes.length > MOST)
    throw new Refusal(
      "tooLarge",
      `Maximum content size limit (${MOST}) exceeded (${bytes.length} bytes read)`,
    );
  if (transcript.type === undefined)
    throw new Refusal("invalid", "Audio file might be corrupted or unsupported", {
      field: "file",
      code: "invalid_value",
    });
  const isCut = options.chunking_strategy !== undefined || options["chunking_strategy[type]"] !== undefined;
  if (model.includes("diarize") && transcript.seconds > UNCUT && !isCut)
    throw refusal("chunking_strategy is required for diarization of this recording.", "chunking_strategy");
}

interface Counted {
  seconds: number;
  input: number;
  audio: number;
  output: number;
}

const usageOf = (model: string, { seconds, input, audio, output }: Counted) =>
  model.includes("-transcribe")
    ? {
        type: "tokens",
        input_tokens: input,
        input_token_details: { audio_tokens: audio, text_tokens: input - audio },
        output_tokens: output,
        total_tokens: input + output,
      }
    : { type: "duration", seconds: Math.ceil(seconds) };

const speakerSegments = (transcript: Transcript, names: readonly string[] = []) =>
  transcript.segments.map(({ text, start, end }, at) => ({
    type: "transcript.text.segment",
    id: `seg_${at}`,
    start,
    end,
    text,
    speaker: names[at % 2] ?? ["A", "B"][at % 2],
  }));

function whole(
  options: Options,
  transcript: Transcript,
  usage: object | undefined,
  task: string,
): MediaAnswer {
  const { response_format: format = "json" } = options;
  const { text, seconds: duration } = transcript;
  const counted = usage ? { usage } : {};
  const plain = (body: string): MediaAnswer => ({
    type: "text/plain; charset=utf-8",
    bytes: Buffer.from(body),
  });
  switch (format) {
    case "text":
      return plain(`${text}\n`);
    case "srt":
    case "vtt":
      return plain(subtitles(transcript, format));
    case "json":
      return { body: { text, ...counted } };
    case "diarized_json":
      return {
        body: {
          task,
          duration,
          text,
          segments: speakerSegments(transcript, options["known_speaker_names[]"]),
          ...counted,
        },
      };
    case "verbose_json": {
      const times = options["timestamp_granularities[]"] ?? ["segment"];
      const figures = {
        seek: 0,
        tokens: [50364],
        temperature: 0,
        avg_logprob: -0.25,
        compression_ratio: 1.2,
        no_speech_prob: 0.01,
      };
      const segments = transcript.segments.map((segment, id) => ({ id, ...segment, ...figures }));
      return {
        body: {
          task,
          language: "english",
          duration,
          text,
          ...(times.includes("segment") ? { segments } : {}),
          ...(times.includes("word") ? { words: transcript.words } : {}),
          ...counted,
        },
      };
    }
  }
}

function streamed(options: Options, transcript: Transcript, usage: object | undefined): Chunk[] {
  const event = (data: object, part?: Chunk["part"]): Chunk => ({ data, ...(part && { part }) });
  const content =
    options.response_format === "diarized_json"
      ? speakerSegments(transcript, options["known_speaker_names[]"]).map((one) => event(one, "content"))
      : (transcript.text.match(/ ?[^ ]+/g) ?? []).map((delta) =>
          event({ type: "transcript.text.delta", delta }, "content"),
        );
  const end = { type: "transcript.text.done", text: transcript.text, ...(usage ? { usage } : {}) };
  return [...content, event(end, "done")];
}

function answerTo(call: MediaCall, options: Options, task: string): AcceptedRequest {
  const [upload] = options.file;
  const transcript = transcriptOf(upload?.bytes ?? Buffer.alloc(0), task);
  check(options, transcript);
  const { model, prompt = "" } = options;
  // Models of the older kind ignore the request for a stream.
  const stream = options.stream === "true" && !model.includes("whisper");
  return {
    text: prompt,
    stream,
    answer(outcome, withUsage) {
      const reply = outcome.silent ? { ...transcript, text: "", words: [], segments: [] } : transcript;
      const audio = Math.ceil(transcript.seconds * PER_SECOND);
      const counted = {
        seconds: transcript.seconds,
        audio,
        input: audio + countTokens(prompt),
        output: countTokens(reply.text),
      };
      make(call, {
        outcome,
        errors: ERRORS,
        operation: "transcription",
        make: () => ({
          outputs: [],
          billed: { seconds: transcript.seconds, input_tokens: counted.input, output_tokens: counted.output },
        }),
      });
      call.entry.text = reply.text;
      const usage = withUsage ? usageOf(model, counted) : undefined;
      const counts = { input: counted.input, output: counted.output };
      if (stream) return { usage: counts, chunks: streamed(options, reply, usage), framing: "events" };
      return { ...whole(options, reply, usage, task), usage: counts };
    },
  };
}

/** The text of a recording. */
export const transcribe = (call: MediaCall): AcceptedRequest =>
  answerTo(call, checked(transcription, call.body, toRefusal), "transcribe");

/** The text of a recording in English, by the models of the older kind. */
export function translate(call: MediaCall): AcceptedRequest {
  const options = checked(translation, call.body, toRefusal);
  if (call.model.includes("-transcribe"))
    throw refusal(`Model '${call.model}' does not translate; use 'whisper-1'.`, "model");
  return answerTo(call, options, "translate");
}
