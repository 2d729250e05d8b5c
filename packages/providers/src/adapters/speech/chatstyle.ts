import { collectLosses, ignoreLosses } from "@manifold-gateway/core";
import type { JsonObject, Lose } from "@manifold-gateway/core/codec";
import {
  rateOf,
  type SpeechAsk,
  type SpeechResult,
  speechFiles,
  type TextToSpeech,
} from "@manifold-gateway/core/operations";
import type { Adapter } from "../adapter.ts";
import { firstBytes, readBytes } from "../bytes.ts";
import { CALL_TIMEOUTS, open, readReply } from "../call.ts";
import { troubles } from "../chatstyle.ts";
import { errorOf, refuse, toTrouble } from "../job-error.ts";

/** The most bytes of one audio reply. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The rate of this wire's raw audio, in hertz. */
const RATE = 24_000;

const formats: Readonly<Record<TextToSpeech["format"], string>> = {
  mp3: "mp3",
  ogg_opus: "opus",
  pcm: "pcm",
};

/** Parameters that the wire cannot express, with the value that has no effect. */
const unsupported = {
  loudnessRate: 0,
  pitch: 0,
  silenceDuration: 0,
  enableLanguageDetector: false,
  explicitLanguage: undefined,
  disableMarkdownFilter: false,
  disableEmojiFilter: false,
} satisfies Partial<TextToSpeech>;

/** The body of a text-to-speech request, as far as the wire can express it. */
export function encodeReading(ask: TextToSpeech, model: string, lose: Lose): JsonObject {
  for (const [field, neutral] of Object.entries(unsupported))
    if (ask[field as keyof typeof unsupported] !== neutral)
      lose(`/${field}`, "unsupported", "the provider has no such setting");
  if (ask.sampleRate !== RATE)
    lose(
      "/sampleRate",
      "unsupported",
      ask.format === "pcm" ? `pcm is always at ${RATE}` : "the provider chooses it",
    );
  const rate = rateOf(ask);
  const [context] = ask.contextTexts ?? [];
  return {
    model,
    voice: ask.voiceType,
    input: ask.text,
    response_format: formats[ask.format],
    ...(rate !== 0 && { speed: 1 + rate / 100 }),
    ...(context !== undefined && { instructions: context }),
  };
}

/** The reason why no provider of this wire can serve a request. */
function refusal(ask: SpeechAsk): string | undefined {
  if (ask.product !== "text-to-speech") return "references: the provider of this model reads texts only";
  if (ask.format === "pcm" && ask.sampleRate !== RATE)
    return `sampleRate: must be ${RATE} for pcm from the provider of this model, not ${ask.sampleRate}`;
  return undefined;
}

/** Text to speech by `POST /audio/speech`, for operators whose voices come from a compatible server. */
export const chatstyle: Adapter<SpeechAsk, SpeechResult> = {
  losses(ask) {
    const { losses, lose } = collectLosses();
    if (ask.product === "text-to-speech") encodeReading(ask, "", lose);
    else lose("/product", "unsupported", "the provider reads texts only");
    return losses;
  },
  async submit(line, ask) {
    const text = refusal(ask);
    if (text !== undefined || ask.product !== "text-to-speech") return refuse(text ?? "");
    const response = await open(line, {
      method: "POST",
      path: "/audio/speech",
      json: encodeReading(ask, line.model, ignoreLosses),
      timeout: CALL_TIMEOUTS.generate,
      begins: true,
    });
    // Some servers report a failure with status 200, but as JSON, which audio never is.
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    if (!response.ok || isJson) {
      const { body, retryAfter } = await readReply(response, line);
      const status = response.ok ? undefined : response.status;
      return {
        state: "failed",
        trouble: toTrouble(troubles, { ...errorOf(body), status, retryAfter }, line),
      };
    }
    const chunks = await firstBytes(readBytes(response, MAX_BYTES, line.signal));
    if (!chunks)
      return {
        state: "failed",
        trouble: { kind: "unavailable", message: "The provider generated no audio." },
      };
    const { mediaType } = speechFiles[ask.format];
    return { state: "succeeded", result: { mediaType, audio: { type: "stream", chunks } } };
  },
};
