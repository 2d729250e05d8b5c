import type { TranscriptionReply, TranscriptionRequest } from "@manifold-gateway/core/operations";
import { transcriptFormats } from "@manifold-gateway/core/operations";
import fc from "fast-check";

export const recording = { mediaType: "audio/mpeg", name: "speech.mp3", bytes: 48_000, seconds: 3 };

/** Optional members that are left out, never undefined. */
const some = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const texts = fc.array(text, { minLength: 1, maxLength: 3 });

/** Requests of the chat-style surface. */
export const anyRequest: fc.Arbitrary<TranscriptionRequest> = some<TranscriptionRequest>({
  model: fc.constant("m"),
  file: fc.constant(recording),
  task: fc.constant("translate"),
  responseFormat: fc.constantFrom(...transcriptFormats),
  language: text,
  languages: texts,
  prompt: text,
  keywords: texts,
  temperature: fc.double({ min: 0, max: 1, noNaN: true }),
  timestampGranularities: fc.subarray<"word" | "segment">(["word", "segment"], { minLength: 1 }),
  knownSpeakerNames: texts,
  knownSpeakerReferences: texts,
  chunkingStrategy: fc.oneof(fc.constant("auto"), fc.constant({ type: "server_vad", threshold: 0.5 })),
  include: fc.constant(["logprobs"]),
  stream: fc.boolean(),
}).map(({ timestampGranularities, ...request }) => ({
  ...request,
  model: "m",
  file: recording,
  // Only the verbose form has times.
  ...(timestampGranularities && request.responseFormat === "verbose_json" && { timestampGranularities }),
}));

const seconds = fc.integer({ min: 0, max: 7_200_000 }).map((ms) => ms / 1000);
const count = fc.nat(1_000_000);
const speaker = fc.constantFrom("A", "agent");
const word = fc.tuple(text, seconds, seconds, fc.option(speaker)).map(([word, start, length, speaker]) => ({
  text: word,
  start,
  end: start + length,
  ...(speaker !== null && { speaker }),
}));
export const anyWords = fc.array(word, { minLength: 1, maxLength: 12 });
const segment = fc
  .tuple(word, fc.nat(100), speaker)
  .map(([one, id, speaker]) => ({ ...one, id: `seg_${id}`, speaker }));

/** Replies of models that tell speakers apart. */
export const anySpoken: fc.Arbitrary<TranscriptionReply> = fc
  .record({ text, segments: fc.array(segment, { minLength: 1, maxLength: 4 }), seconds })
  .map((reply) => reply);

/** Replies with text and usage alone. */
export const anyPlain: fc.Arbitrary<TranscriptionReply> = fc.record(
  {
    text,
    languages: fc.array(fc.constantFrom("en", "de"), { minLength: 1, maxLength: 2 }),
    usage: fc.oneof(
      fc.record({ seconds: fc.nat(7200) }),
      fc.tuple(count, count, count).map(([input, audio, output]) => ({
        input: input + audio,
        audioInput: audio,
        output,
      })),
    ),
  },
  { requiredKeys: ["text"] },
);

/** Replies of models that say when something is said. */
export const anyTimed: fc.Arbitrary<TranscriptionReply> = fc
  .record({ text, language: text, seconds, words: anyWords, segments: fc.array(word, { maxLength: 4 }) })
  .map((reply) => ({ ...reply, segments: reply.segments.map((one, id) => ({ ...one, id: String(id) })) }));
