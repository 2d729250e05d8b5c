import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { each } from "../../codec/machine.ts";
import { isObject, type Json, type JsonObject, toArray, toObject } from "../../json/json.ts";
import { array, boolean, nullish, number, object, oneOf, record, string, union } from "../../schema/node.ts";
import { type Fault, validator } from "../../schema/validator.ts";
import { passagesOf } from "./chatstyle/reply.ts";
import { names as chatNames, decode as decodeChat } from "./chatstyle/request.ts";
import type { TranscriptionCodec } from "./codec.ts";
import type {
  TranscriptionEvent,
  TranscriptionReply,
  TranscriptionRequest,
  TranscriptSegment,
  TranscriptWord,
} from "./ir.ts";

/** The parameters of the native interface: those of the chat wire under their own names. */
const names = Object.keys(chatNames).filter((name) => name !== "responseFormat") as Exclude<
  keyof typeof chatNames,
  "responseFormat"
>[];

const schema = validator(
  object({
    model: string({ min: 1, message: "is required" }),
    task: nullish(oneOf("transcribe", "translate")),
    language: nullish(string()),
    languages: nullish(array(string())),
    prompt: nullish(string()),
    keywords: nullish(array(string())),
    temperature: nullish(number()),
    timestampGranularities: nullish(array(oneOf("word", "segment"))),
    diarize: nullish(boolean()),
    include: nullish(array(string())),
    chunkingStrategy: nullish(union([oneOf("auto"), record()], 'must be "auto" or an object')),
    knownSpeakerNames: nullish(array(string())),
    knownSpeakerReferences: nullish(array(string())),
    stream: nullish(boolean()),
    provider: nullish(record()),
  }),
  {
    *faults(value: unknown): Generator<Fault> {
      if (!isObject(value)) return;
      if (!isObject(value.file))
        yield { path: ["content"], message: "is required: one audio part, or a multipart form with a file" };
      if (value.diarize === true && toArray(value.timestampGranularities).length > 0)
        yield { path: ["timestampGranularities"], message: "cannot be combined with diarize: true" };
    },
  },
);

/** The form of an answer that has what the request asks for. */
function formatOf(wire: JsonObject): Json {
  if (wire.diarize === true) return "diarized_json";
  return toArray(wire.timestampGranularities).length > 0 ? "verbose_json" : "json";
}

function decode(wire: JsonObject, trace: Trace = noTrace): TranscriptionRequest {
  const spelled: JsonObject = { model: wire.model ?? "", file: wire.file ?? null };
  for (const name of names) if (wire[name] !== undefined) spelled[chatNames[name]] = wire[name];
  const { at } = toObject(wire.file);
  return decodeChat(
    {
      // Models that distinguish speakers refuse a recording without a way to cut it.
      ...(wire.diarize === true && { chunking_strategy: "auto" }),
      ...spelled,
      response_format: formatOf(wire),
      ...(wire.task === "translate" && { task: wire.task }),
    },
    (node, pointer) => trace(node, pointer === "/file" && typeof at === "string" ? at : pointer),
  );
}

const ms = (seconds: number): number => Math.round(seconds * 1000);

const passage = ({ text, start, end, speaker }: TranscriptSegment | TranscriptWord): JsonObject => ({
  text,
  startTime: ms(start),
  endTime: ms(end),
  ...(speaker !== undefined && { speaker }),
});

function encode(
  reply: TranscriptionReply,
  { responseFormat, timestampGranularities = [], file }: TranscriptionRequest,
): JsonObject {
  const { text, language, languages, words, usage } = reply;
  const seconds = reply.seconds ?? file.seconds;
  const isDiarized = responseFormat === "diarized_json";
  const passages =
    isDiarized || timestampGranularities.includes("segment") ? (passagesOf(reply) ?? []) : undefined;
  return {
    text,
    ...(language !== undefined && { language }),
    ...(languages && { languages }),
    ...(seconds !== undefined && { durationSeconds: seconds }),
    ...(passages && { segments: passages.map(passage) }),
    ...(timestampGranularities.includes("word") && { words: (words ?? []).map(passage) }),
    ...(usage && { usage: usageOf(usage) }),
  };
}

function usageOf({
  seconds,
  input,
  output,
  audioInput,
}: NonNullable<TranscriptionReply["usage"]>): JsonObject {
  return {
    ...(seconds !== undefined && { seconds }),
    ...(input !== undefined && { promptTokens: input, completionTokens: output ?? 0 }),
    ...(audioInput !== undefined && { audioTokens: audioInput }),
  };
}

const write =
  (request: TranscriptionRequest) =>
  (event: TranscriptionEvent): JsonObject[] => {
    switch (event.type) {
      case "delta":
        return [{ type: "delta", text: event.text }];
      case "segment":
        return [{ type: "segment", ...passage(event.segment) }];
      case "done":
        return [{ type: "done", ...encode(event.reply, request) }];
    }
  };

/** Transcriptions on the native interface; times in milliseconds, as in subtitles. No provider speaks it. */
export const nativeTranscription: TranscriptionCodec = {
  protocol: "native",
  content: "json",
  tokensPerSecond: 0,
  unfetched: defineUnfetched(["prompt", "language", "languages", "keywords", "mediaType"], []),
  facts: {
    params: Object.fromEntries(names.map((name) => [name, [`/${name}`]])),
    others: ["file", "content", "diarize"],
  },
  request: { schema, decode, encode: () => ({}) },
  reply: { decode: () => ({ text: "" }), encode },
  stream: { decode: () => each(() => []), encode: (request) => each(write(request)) },
};
