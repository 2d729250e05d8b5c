import type { AnyProvider } from "../../../codec/codec.ts";
import { defineUnfetched } from "../../../codec/fetched-addresses.ts";
import { type Machine, run } from "../../../codec/machine.ts";
import { extraFor } from "../../../ir/extra.ts";
import type { Failure } from "../../../ir/failure.ts";
import { fold } from "../../../ir/fold.ts";
import type { Event, TextRequest } from "../../../ir/index.ts";
import { ignoreLosses, type Lose } from "../../../ir/loss.ts";
import type { Json, JsonObject } from "../../../json/json.ts";
import { noCaller } from "../../no-caller.ts";
import { FILE, type TranscriptionCodec } from "../codec.ts";
import type { TranscriptionEvent, TranscriptionReply, TranscriptionRequest } from "../ir.ts";
import { promptOf } from "./prompt.ts";

/** Parameters that a prompt does not express. */
const unsupportedParams = [
  "include",
  "chunkingStrategy",
  "knownSpeakerNames",
  "knownSpeakerReferences",
] as const;

/** The request as a conversation of one turn: the recording, and what to do with it. */
function toText(request: TranscriptionRequest, lose: Lose, protocol: AnyProvider["protocol"]): TextRequest {
  const { model, file, temperature, stream = false, responseFormat = "json" } = request;
  lose("/file", "approximated", "a model of text writes it down because a prompt says so");
  for (const name of unsupportedParams) if (request[name] !== undefined) lose(`/${name}`, "unsupported");
  if (responseFormat !== "json" && responseFormat !== "text")
    lose("/responseFormat", "unsupported", "the model writes the text down, without times and speakers");
  extraFor(protocol, request.extra, lose, "");
  return {
    model,
    stream,
    messages: [
      {
        role: "user",
        parts: [
          {
            type: "media",
            kind: "audio",
            source: { type: "base64", mediaType: file.mediaType, data: FILE },
          },
          { type: "text", text: promptOf(request) },
        ],
      },
    ],
    params: temperature === undefined ? {} : { temperature },
  };
}

/** The model declined to answer, by its own words or by its vendor's filter. */
const declinedFailure = (note = "The provider's filter stopped the transcript."): Failure => ({
  kind: "invalid",
  status: 422,
  message: note,
});

/** The transcript that the events of a reply add up to. */
function toReply(events: readonly Event[]): TranscriptionReply {
  const { choices, usage, failure } = fold(events);
  const [choice] = choices;
  const text = (choice?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const { reason, note } = choice?.finish ?? {};
  const failed =
    failure ?? (reason === "content_filter" || reason === "refusal" ? declinedFailure(note) : undefined);
  return {
    text: text.trim(),
    ...(usage && { usage }),
    ...(reason === "length" && { truncated: true as const }),
    ...(failed && { failure: failed }),
  };
}

/** A stream of text as that of its transcript. One that broke off has a failure in its reply. */
function decodeStream(machine: Machine<Json, Event>): Machine<Json, TranscriptionEvent> {
  const all: Event[] = [];
  const texts = new Set<number>();
  const take = (events: readonly Event[]): TranscriptionEvent[] =>
    events.flatMap((event): TranscriptionEvent[] => {
      all.push(event);
      if (event.type === "open" && event.part.type === "text") texts.add(event.index);
      if (event.type !== "delta" || !texts.has(event.index)) return [];
      return [{ type: "delta", text: event.text }];
    });
  return {
    step: (chunk) => take(machine.step(chunk)),
    end() {
      const last = take(machine.end());
      return [...last, { type: "done", reply: toReply(all) }];
    },
  };
}

/**
 * Transcription by a protocol of text: models that hear write down what they hear because a prompt says so. `mediaTypes`
 * are the recordings that its models take, `tokensPerSecond` what they count a second as.
 */
export const promptedTranscription = (
  provider: AnyProvider,
  { mediaTypes, tokensPerSecond }: Pick<TranscriptionCodec, "mediaTypes" | "tokensPerSecond">,
): TranscriptionCodec => ({
  protocol: provider.protocol,
  content: "json",
  prompted: true,
  ...(mediaTypes && { mediaTypes }),
  tokensPerSecond,
  endpoint: ({ model, stream = false }) => provider.endpoint(encodeURIComponent(model), stream),
  unfetched: defineUnfetched([], []),
  facts: { params: {}, others: [] },
  request: {
    schema: noCaller.schema,
    decode: noCaller.decode,
    encode: (request, lose): JsonObject =>
      provider.request.encode(toText(request, lose, provider.protocol), ignoreLosses),
  },
  reply: {
    decode: (body) => toReply(run(provider.reply.decode(), provider.reply.burst(body))),
    encode: noCaller.encode,
  },
  stream: { decode: () => decodeStream(provider.reply.decode()), encode: noCaller.encode },
});
