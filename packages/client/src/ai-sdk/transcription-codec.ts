import { type JsonObject, toObject } from "@manifold-gateway/core/codec";
import {
  nativeTranscription,
  passagesOf,
  type TranscriptionCodec,
  type TranscriptSegment,
} from "@manifold-gateway/core/transcription";
import { NAMESPACE, protocol } from "./wire.ts";

const { facts, request } = nativeTranscription;

/** The options of the interface itself; the others are those of this provider. */
const direct = new Set(["timestampGranularities"]);

const passage = ({ text, start, end }: TranscriptSegment): JsonObject => ({
  text,
  startSecond: start,
  endSecond: end,
});

/** The request on the native interface, whose parameters are this provider's options. */
const toNative = ({ model, file, timestampGranularities, providerOptions }: JsonObject): JsonObject => ({
  ...toObject(toObject(providerOptions)[NAMESPACE]),
  ...({ model, file } as JsonObject),
  ...(timestampGranularities !== undefined && { timestampGranularities }),
});

/** The AI SDK's interface of transcription models as the wire of a caller. */
export const modelTranscription: TranscriptionCodec = {
  protocol,
  content: "json",
  tokensPerSecond: 0,
  unfetched: nativeTranscription.unfetched,
  facts: {
    params: Object.fromEntries(
      Object.keys(facts.params).map((name) => [
        name,
        [direct.has(name) ? `/${name}` : `/providerOptions/${NAMESPACE}/${name}`],
      ]),
    ),
    others: ["file", "mediaType", "providerOptions"],
  },
  request: {
    schema: {
      safeParse: (value) => request.schema.safeParse(toNative(value as JsonObject)),
      parse: (value) => request.schema.parse(toNative(value as JsonObject)),
    },
    decode: (wire, trace) => {
      const { stream: _, ...decoded } = request.decode(toNative(wire), trace);
      return decoded;
    },
    encode: () => ({}),
  },
  reply: {
    decode: () => ({ text: "" }),
    encode: (reply) => ({
      text: reply.text,
      segments: (passagesOf(reply) ?? []).map(passage),
      ...(reply.words && { words: reply.words.map(passage) }),
      ...(reply.language !== undefined && { language: reply.language }),
      ...(reply.seconds !== undefined && { durationInSeconds: reply.seconds }),
      ...(reply.usage && { usage: { ...reply.usage } as unknown as JsonObject }),
    }),
  },
};
