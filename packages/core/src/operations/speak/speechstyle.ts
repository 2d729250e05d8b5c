import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { chain, each } from "../../codec/machine.ts";
import { loseExtra } from "../../ir/extra.ts";
import type { FailureKind } from "../../ir/failure.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { noCaller } from "../no-caller.ts";
import { LONGEST_SPEECH, REFERENCE_MODEL } from "../speech/counts.ts";
import { readObjects } from "../speech/speechstyle/objects.ts";
import { readGenerated, readItems, type SpeechWireError } from "../speech/speechstyle/reply.ts";
import { LONGEST_FRAME, noAudio, pieceOf, readEvents, requireAudio } from "./audio.ts";
import { noBody, type SpeakCodec } from "./codec.ts";
import type { SpeakEvent, SpeakRequest, SpeechFormat } from "./ir.ts";

const formats: Partial<Record<SpeechFormat, string>> = { mp3: "mp3", opus: "ogg_opus", pcm: "pcm" };
const RATE = 24_000;

/** Percent of the usual speed, from half to double. */
function rateOf(speed: number, lose: Lose): number {
  const rate = Math.round((speed - 1) * 100);
  const within = Math.min(100, Math.max(-50, rate));
  if (within !== rate)
    lose("/speed", "approximated", `the model speaks at ${1 + within / 100} times its usual speed`);
  return within;
}

const isReference = ({ model }: Pick<SpeakRequest, "model">): boolean => model === REFERENCE_MODEL;

function encode(request: SpeakRequest, lose: Lose): JsonObject {
  const { model, text, voiceType, format = "mp3", speed = 1, instructions } = request;
  loseExtra(request.extra, lose, "");
  const rate = rateOf(speed, lose);
  const audio = {
    format: formats[format] ?? "mp3",
    sample_rate: RATE,
    ...(rate !== 0 && { speech_rate: rate }),
  };
  if (isReference(request)) {
    if (instructions !== undefined) lose("/instructions", "unsupported", "the model has no such setting");
    return { model, text_prompt: text, references: [{ speaker: voiceType }], audio_config: audio };
  }
  return {
    user: { uid: request.user ?? "speech" },
    req_params: {
      text,
      speaker: voiceType,
      audio_params: audio,
      // The wire expects JSON text here, not an object.
      ...(instructions !== undefined && { additions: JSON.stringify({ context_texts: [instructions] }) }),
    },
  };
}

/** The kinds of the wire's errors, by the beginning of their codes. */
const kinds: readonly [RegExp, FailureKind, number][] = [
  [/^450000(10|30)$/, "permission", 502],
  [/^4\d{7}$/, "invalid", 400],
];

function failureOf({ code = "", message }: SpeechWireError): SpeakEvent {
  const [, kind = "server", status = 502] = kinds.find(([pattern]) => pattern.test(code)) ?? [];
  return {
    type: "failure",
    failure: {
      kind,
      status,
      message: message ?? noAudio().message,
      ...(code !== "" && { code }),
    },
  };
}

/** What one object of an answer says. */
function eventsOf(object: JsonObject): SpeakEvent[] {
  if ("audio" in object || "url" in object) return generatedEvents(object);
  return readItems(object).map((item): SpeakEvent => {
    if (item.type === "failure") return failureOf(item.error);
    if (item.type === "audio") return pieceOf(item.data);
    const { characters } = item;
    return { type: "done", ...(characters !== undefined && { usage: { characters } }) };
  });
}

/** A generation with reference is one object, with the audio or its address. */
function generatedEvents(object: JsonObject): SpeakEvent[] {
  const generated = readGenerated(object);
  if ("error" in generated) return [failureOf(generated.error)];
  const { output, data } = generated;
  const seconds = output.billedSeconds ?? output.seconds;
  return [
    data === undefined ? { type: "address", url: output.providerUrl ?? "" } : pieceOf(data),
    { type: "done", ...(seconds !== undefined && { usage: { seconds } }) },
  ];
}

/** The speech services of the media vendor: a text read in a voice of the catalog, or said by the reference model. */
export const speechstyleSpeak: SpeakCodec = {
  protocol: "chatstyle",
  endpoint: (request) => (isReference(request) ? "/tts/create" : "/tts/unidirectional"),
  formats: ["mp3", "opus", "pcm"],
  tokensPerSecond: 25,
  longestFor: (model) => (isReference({ model }) ? LONGEST_SPEECH : undefined),
  voices: true,
  unfetched: defineUnfetched([], []),
  facts: { params: {}, others: [] },
  headers: (request, id) => ({
    "x-api-request-id": id,
    ...(!isReference(request) && {
      "x-api-resource-id": request.model,
      "x-control-require-usage-tokens-return": "*",
    }),
  }),
  request: { schema: noCaller.schema, decode: noCaller.decode, encode },
  reply: noBody,
  reader(type) {
    const objects = /^text\/event-stream\b/i.test(type) ? readEvents() : readObjects(LONGEST_FRAME);
    return requireAudio(chain(objects, each(eventsOf)));
  },
};
