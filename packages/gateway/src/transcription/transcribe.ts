import { type JsonObject, toArray } from "@manifold-gateway/core/codec";
import {
  estimateTranscription,
  FILE,
  type OperationCall,
  planTranscription,
  type TranscriptionCodec,
  type TranscriptionPlan,
  type TranscriptionRequest,
  transcriptionOperation,
} from "@manifold-gateway/core/operations";
import type { Operation, PlanTarget, SpecialBody } from "../operations/operation.ts";
import { isForwarded, plannedValue, type TranscriptionAsk } from "./ask.ts";
import { type RecordingService, withRecording } from "./recording.ts";
import { replyTranscript } from "./reply.ts";
import { meterOf } from "./usage.ts";

/** The transcription of recordings, as an operation. */
export const transcribe: Operation<
  TranscriptionRequest,
  TranscriptionCodec,
  TranscriptionAsk,
  RecordingService
> = {
  wires: transcriptionOperation,
  makes: "transcription",
  modality: "audio",
  observed: "transcription",
  firstByte: 600_000,
  // Models of text write down what they hear; those of transcription are never prompted to.
  can: ({ prompted = false }, { inputModalities, outputModalities }) =>
    outputModalities.includes("transcription") ? !prompted : prompted && inputModalities.includes("audio"),
  gather: withRecording,
  streams: ({ stream }) => stream,
  plan: (ask, source, target, options) =>
    planTranscription({ ...source, value: plannedValue(source.value, ask) }, target, options),
  send,
  estimate: ({ request }, { codec, candidate: { entry } }) => ({
    ...estimateTranscription(request, { ...codec, meter: meterOf(entry) }),
    estimated: true,
  }),
  pending: ({ pending }) => (pending === undefined ? [] : [pending]),
  reply: replyTranscript,
};

const AUDIO_ACCEPTED = { accept: "application/json, text/plain, */*" };
const STREAM_ACCEPTED = { accept: "text/event-stream" };

/**
 * The body with the recording: the caller's form with another model, or one in the form of the provider's wire. That is
 * also sent in place of a form of the same wire that vendors refuse or misread: where the recording is named after
 * another type, and where lists have no brackets.
 */
function send(
  ask: TranscriptionAsk,
  planned: TranscriptionPlan,
  target: PlanTarget<TranscriptionRequest, TranscriptionCodec>,
  { value }: OperationCall,
): SpecialBody {
  const { upload } = ask;
  const { codec, model } = target;
  const { file } = planned.request;
  const shown: JsonObject = JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(FILE), '"…"'));
  const accepted = value.stream === true ? STREAM_ACCEPTED : AUDIO_ACCEPTED;
  // An explanation of a recording that was not fetched.
  if (!upload) return { body: "", shown };
  if (codec.content === "json")
    return { body: upload.inJson(JSON.stringify(value)), headers: accepted, shown };
  const lists = Object.entries(value).filter(([, items]) => Array.isArray(items));
  const isKept =
    isForwarded(ask, planned, target) &&
    file.name === upload.facts.name &&
    lists.every(([name, items]) => upload.count(`${name}[]`) === toArray(items).length);
  const { body, type } =
    (isKept && upload.received({ model, ...leftOut(ask, value) })) || upload.form(value, file);
  return { body, headers: { ...accepted, "content-type": type }, shown };
}

/** The fields of the caller's form that are not sent: those for this service, and those that the model does not take. */
function leftOut({ body }: TranscriptionAsk, sent: JsonObject): Record<string, undefined> {
  const names = Object.keys(body.value).filter((name) => !Object.hasOwn(sent, name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
