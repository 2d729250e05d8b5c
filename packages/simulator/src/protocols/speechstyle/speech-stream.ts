import { begin } from "../../media/media-store.ts";
import { cutBytes, secondsOf, soundOf } from "../../media/sound.ts";
import { plainText } from "../../script/directives.ts";
import type { AcceptedRequest, Chunk, MediaCall } from "../protocol.ts";
import { CODES } from "./errors.ts";
import { readSpeechRequest } from "./speech-request.ts";

const ERRORS = { moderation: String(CODES.moderation), internal: String(CODES.server) };
const PIECES = 6;

type Framing = "lines" | "events";

/** A sentence with the seconds at which its words begin and end. */
function timedSentence(text: string, seconds: number) {
  const words = text.split(/\s+/).filter(Boolean);
  const at = (index: number): number => Math.round((seconds * index * 1000) / words.length) / 1000;
  return {
    text,
    words: words.map((word, index) => ({ word, startTime: at(index), endTime: at(index + 1) })),
  };
}

const piece = (event: string, rest: object, part?: Chunk["part"]): Chunk => ({
  event,
  data: { code: 0, message: "", data: null, ...rest },
  part,
});

/** The events of a successful answer: the sentence, its sound, its times, the end. */
function speechEvents(text: string, sound: Buffer, sentence: object, end: object): Chunk[] {
  return [
    piece("350", { sentence: { text } }),
    ...cutBytes(sound, PIECES).map((part) => piece("352", { data: part.toString("base64") }, "content")),
    piece("351", { sentence }),
    piece("152", { code: CODES.done, message: "OK", ...end }, "done"),
  ];
}

/** The framing in lines has no event names and no event for the start of a sentence. */
const unnamed = (chunks: Chunk[]): Chunk[] =>
  chunks.filter(({ event }) => event !== "350").map(({ data, part }) => ({ data, part }));

/** Text to speech in pieces. Errors of the job are events of the stream, because its status has been sent by then. */
const speak =
  (framing: Framing) =>
  (call: MediaCall): AcceptedRequest => {
    const request = readSpeechRequest(call);
    const { text, resource } = request;
    call.entry.model = resource;
    return {
      text,
      stream: true,
      answer: (outcome, withUsage) => {
        const plain = plainText(text);
        const characters = [...text].length;
        const seconds = secondsOf(text, request.speed) + request.silence;
        const { output, bytes } = soundOf(request.format, seconds, request.rate, call.hash, outcome);
        const job = begin(
          { ...call, model: resource },
          {
            outcome,
            errors: ERRORS,
            make: () => ({ outputs: outcome.silent ? [] : [output], billed: { text_words: characters } }),
          },
        );
        call.mediaStore.jobs.finish(job, call.now);
        const wantsUsage = call.headers["x-control-require-usage-tokens-return"] !== undefined;
        const end = wantsUsage && withUsage ? { usage: { text_words: characters } } : {};
        const sentence = request.timed ? timedSentence(plain, seconds) : { text: plain };
        const { code = "", message = job.state } = job.error ?? {};
        const chunks =
          job.state === "succeeded"
            ? speechEvents(plain, outcome.silent ? Buffer.alloc(0) : bytes(), sentence, end)
            : [piece("153", { code: Number(code) || CODES.server, message }, "done")];
        return {
          usage: { input: characters },
          headers: { "x-tt-logid": call.hash.slice(0, 32) },
          chunks: framing === "events" ? chunks : unnamed(chunks),
          framing,
        };
      },
    };
  };

export const speakInLines = speak("lines");
export const speakInEvents = speak("events");
