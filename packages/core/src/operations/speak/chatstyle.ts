import { toBase64 } from "../../base64.ts";
import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { chain, each, type Machine } from "../../codec/machine.ts";
import { wordsOf } from "../../ir/error-words.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type { Lose } from "../../ir/loss.ts";
import { toCount } from "../../ir/usage.ts";
import { parseBounded } from "../../json/bounded.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toObject,
  toText,
} from "../../json/json.ts";
import { nullish, number, object, oneOf, record, string, union } from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { noAudio, pieceOf, readEvents, requireAudio } from "./audio.ts";
import { noBody, type SpeakAnswer, type SpeakCodec } from "./codec.ts";
import {
  type SpeakEvent,
  type SpeakRequest,
  type SpeakUsage,
  type SpeechFormat,
  speechFormats,
} from "./ir.ts";

const protocol = "chatstyle";
/** The longest text, in characters. */
const LONGEST = 4096;

const schema = validator(
  object({
    model: string({ min: 1, message: "is required" }),
    input: string({ min: 1, message: "is required: the text to be spoken" }),
    voice: union(
      [string({ min: 1 }), object({ id: string({ min: 1 }) })],
      "is required: the name of a voice",
    ),
    response_format: nullish(oneOf(...speechFormats)),
    speed: nullish(number({ min: 0.25, max: 4 })),
    instructions: nullish(string()),
    stream_format: nullish(oneOf("audio", "sse")),
    provider: nullish(record()),
  }),
  {
    *faults(value) {
      const { input } = toObject(value);
      const length = typeof input === "string" ? [...input].length : 0;
      if (length > LONGEST)
        yield { path: ["input"], message: `must be at most ${LONGEST} characters long, not ${length}` };
    },
  },
);

const fields = new Set([
  "model",
  "input",
  "voice",
  "response_format",
  "speed",
  "instructions",
  "stream_format",
]);

function decode(wire: JsonObject, _trace: Trace = noTrace): SpeakRequest {
  const { response_format: format, stream_format: stream, voice } = wire;
  return compact<{ [K in keyof SpeakRequest]: SpeakRequest[K] | undefined }>({
    model: toText(wire.model),
    text: toText(wire.input),
    // A custom voice is an object with its id.
    voiceType: isObject(voice) ? toText(voice.id) : toText(voice),
    format: speechFormats.find((one) => one === format),
    speed: numberOf(wire.speed),
    instructions: textOf(wire.instructions),
    streamFormat: stream === "sse" || stream === "audio" ? stream : undefined,
    ...(isObject(voice)
      ? {
          extra: {
            protocol,
            fields: { ...extraOf(protocol, wire, fields).extra?.fields, voice },
            // Other wires are sent its id.
            internal: ["voice"],
          },
        }
      : extraOf(protocol, wire, fields)),
  }) as SpeakRequest;
}

function encode(request: SpeakRequest, lose: Lose): JsonObject {
  const { model, text, voiceType, format, speed, instructions, streamFormat } = request;
  return {
    model,
    input: text,
    voice: voiceType,
    ...(format !== undefined && { response_format: format }),
    ...(speed !== undefined && { speed }),
    ...(instructions !== undefined && { instructions }),
    ...(streamFormat !== undefined && { stream_format: streamFormat }),
    ...extraFor(protocol, request.extra, lose, ""),
  };
}

/** The usage at the end of a stream; undefined where a figure is malformed. */
function usageOf(value: Json | undefined): SpeakUsage | undefined {
  const usage = toObject(value);
  const [input, output] = [toCount(usage.input_tokens), toCount(usage.output_tokens)];
  return input === undefined || output === undefined ? undefined : { input, output };
}

function eventsOf(event: JsonObject): SpeakEvent[] {
  switch (event.type) {
    case "speech.audio.delta":
      return [pieceOf(toText(event.audio))];
    case "speech.audio.done": {
      const usage = usageOf(event.usage);
      return [{ type: "done", ...(usage && { usage }) }];
    }
    default:
      // Servers name such events `error` or `speech.audio.error`, with their words in any place.
      return event.error || /(?:^|\.)error$/.test(toText(event.type)) ? [failureOf(event)] : [];
  }
}

const failureOf = (body: JsonObject): SpeakEvent => {
  const error = toObject(body.error);
  return {
    type: "failure",
    failure: {
      ...noAudio(wordsOf(body) || undefined),
      ...(textOf(error.code) !== undefined && { code: toText(error.code) }),
      raw: { protocol, value: body },
    },
  };
};

/** Audio as it comes: its end is that of the answer. */
const readAudio = (): Machine<Uint8Array, SpeakEvent> => ({
  step: (bytes) => (bytes.length === 0 ? [] : [{ type: "audio", bytes }]),
  end: () => [{ type: "done" }],
});

/** Matches the types of texts. Proxies send pages with status 200; some servers give no type, so that audio gets one. */
const TEXT = /^text\/|\b(?:x?html|xml)\b/i;

/** Some servers report a failure with status 200, but as JSON, which audio never is. */
function readError(): Machine<Uint8Array, SpeakEvent> {
  const decoder = new TextDecoder();
  let text = "";
  return {
    step(bytes) {
      text += decoder.decode(bytes, { stream: true });
      return [];
    },
    end: () => [failureOf(toObject(parseBounded(text)))],
  };
}

/** Judges an answer with the type of a text by its first bytes. */
function readByContent(): Machine<Uint8Array, SpeakEvent> {
  let reader: Machine<Uint8Array, SpeakEvent> | undefined;
  return {
    step(bytes) {
      if (bytes.length > 0) reader ??= isText(bytes) ? readError() : readAudio();
      return reader?.step(bytes) ?? [];
    },
    end: () => (reader ?? readAudio()).end(),
  };
}

/** Whether bytes are the beginning of a text: audio has zeros or other bytes that no text has. */
function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }).includes("\0");
  } catch {
    return false;
  }
}

/** Speech beside chat completions. */
export const chatstyleSpeak: SpeakCodec = {
  protocol,
  endpoint: () => "/audio/speech",
  formats: speechFormats,
  tokensPerSecond: 21,
  unfetched: defineUnfetched(["input", "voice", "instructions"], []),
  facts: {
    params: {
      voiceType: ["/voice"],
      format: ["/response_format"],
      speed: ["/speed"],
      instructions: ["/instructions"],
      streamFormat: ["/stream_format"],
    },
    others: ["input"],
  },
  request: { schema, decode, encode },
  reply: noBody,
  reader: (type) =>
    requireAudio(
      /^text\/event-stream\b/i.test(type)
        ? chain(readEvents(), each(eventsOf))
        : /\bjson\b/i.test(type)
          ? readError()
          : TEXT.test(type)
            ? readByContent()
            : readAudio(),
    ),
};

/** The media types of the formats, as answers state them. */
const types: Readonly<Record<SpeechFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

function frameOf(event: SpeakEvent): string {
  if (event.type === "audio") return frame({ type: "speech.audio.delta", audio: toBase64(event.bytes) });
  if (event.type !== "done") return "";
  const { input, output } = event.usage ?? {};
  return frame({
    type: "speech.audio.done",
    ...(input !== undefined &&
      output !== undefined && {
        usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      }),
  });
}

const frame = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`;

/** The answer to a request of the chat family: audio, or events with pieces of it. */
export const speakAnswer = ({ streamFormat, format = "mp3" }: SpeakRequest): SpeakAnswer =>
  streamFormat === "sse"
    ? { contentType: "text/event-stream; charset=utf-8", write: frameOf }
    : { contentType: types[format], write: (event) => (event.type === "audio" ? event.bytes : "") };
