import type { TranscriptionCodec } from "./codec.ts";
import type { TranscriptionRequest, TranscriptionUsage } from "./ir.ts";

/** Tokens of the transcript of a second of quick speech. */
const OUTPUT_TOKENS_PER_SECOND = 6;
/** Bytes of a prompt in a token. */
const BYTES_PER_TOKEN = 4;
/** The fewest bytes of a second of sound, by which an unknown length is limited. */
const MIN_BYTES_PER_SECOND = 500;

/** The counting of seconds by a vendor that does not bill each as it is. */
export interface SoundMeter {
  by: "sound";
  /** The fewest seconds that a request is billed as. */
  least?: number;
  /** Seconds are rounded up to a multiple of it. */
  step?: number;
}

/** The seconds that are billed for a recording. */
function billed(seconds: number, { least = 0, step }: Partial<SoundMeter> = {}): number {
  const most = Math.max(seconds, least);
  return step === undefined ? most : Math.ceil(most / step) * step;
}

/** The seconds of a recording, or the most that they can be. */
export const secondsOf = ({ seconds, bytes }: TranscriptionRequest["file"]): number =>
  seconds ?? Math.ceil(bytes / MIN_BYTES_PER_SECOND);

/** What a price counts: tokens, if it has a rate for them. */
export const transcriptionUnit = (
  price: Readonly<Partial<Record<"input" | "audioInput" | "output", number>>>,
): "tokens" | "seconds" =>
  (price.input ?? 0) + (price.audioInput ?? 0) + (price.output ?? 0) > 0 ? "tokens" : "seconds";

/** The tokens of a request that are text. */
const textTokens = ({ prompt = "", keywords = [] }: TranscriptionRequest): number =>
  Math.ceil(new TextEncoder().encode([prompt, ...keywords].join(" ")).length / BYTES_PER_TOKEN);

/** What a transcription is likely to use: held before it, and charged where the provider reports nothing. */
export function estimateTranscription(
  request: TranscriptionRequest,
  {
    tokensPerSecond,
    meter,
  }: Pick<TranscriptionCodec, "tokensPerSecond"> & { meter?: SoundMeter | undefined },
): Required<Pick<TranscriptionUsage, "seconds" | "input" | "audioInput" | "output">> {
  const seconds = secondsOf(request.file);
  const audioInput = Math.ceil(seconds * tokensPerSecond);
  return {
    // A provider may round up to a whole second.
    seconds: billed(Math.ceil(seconds), meter),
    input: audioInput + textTokens(request),
    audioInput,
    output: Math.ceil(seconds * OUTPUT_TOKENS_PER_SECOND),
  };
}

/**
 * What is charged: the provider's figures, and estimates for those that it does not report. Seconds are never more
 * than the recording has, rounded up. `sells` is what the model's price counts: tokens of others are not estimated.
 * Tokens of input whose kind is not reported are of the recording, but for the request's text.
 */
export function usageOfTranscription(
  reported: TranscriptionUsage | undefined,
  request: TranscriptionRequest,
  {
    tokensPerSecond,
    meter,
    sells,
  }: Pick<TranscriptionCodec, "tokensPerSecond"> & {
    meter?: SoundMeter | undefined;
    sells: "tokens" | "seconds";
  },
): TranscriptionUsage & { input: number; output: number; seconds: number; estimated?: true } {
  const longest = secondsOf(request.file);
  const seconds = Math.min(reported?.seconds ?? longest, Math.ceil(longest));
  const bounded = { ...request, file: { ...request.file, seconds: Math.min(seconds, longest) } };
  const { seconds: _, ...estimate } = estimateTranscription(bounded, { tokensPerSecond });
  const { input, output = 0 } = reported ?? {};
  // A length that was measured is as good as the provider's own.
  const isTimed = reported?.seconds !== undefined || request.file.seconds !== undefined;
  const isKnown = sells === "tokens" ? input !== undefined : isTimed;
  const unknown = sells === "tokens" ? estimate : { input: 0, output: 0 };
  const audioInput = reported?.audioInput ?? Math.max(0, (input ?? 0) - textTokens(request));
  return {
    ...(input === undefined
      ? unknown
      : { ...reported, input, ...(sells === "tokens" && { audioInput }), output }),
    seconds: billed(seconds, meter),
    ...(!isKnown && { estimated: true as const }),
  };
}
