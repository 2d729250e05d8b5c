import { countCharacters } from "../characters.ts";
import type { SpeakCodec } from "./codec.ts";
import type { SpeakRequest, SpeakUsage } from "./ir.ts";

/** Bytes of text in a token. */
const TEXT = 4;
/** The fewest characters that a second of speech says. */
const PACE = 10;

type Estimate = Required<Pick<SpeakUsage, "characters" | "seconds" | "input" | "output">>;

/** What speech is likely to use: held before it, and charged where the provider reports nothing. */
export function estimateSpeak(
  { text, speed = 1, instructions = "" }: SpeakRequest,
  { tokensPerSecond }: Pick<SpeakCodec, "tokensPerSecond">,
): Estimate {
  const characters = countCharacters(text);
  const seconds = Math.ceil((characters / PACE / speed) * 1000) / 1000;
  return {
    characters,
    seconds,
    input: Math.ceil(new TextEncoder().encode(text + instructions).length / TEXT),
    output: Math.ceil(seconds * tokensPerSecond),
  };
}

/**
 * What is charged: the provider's figures, and estimates for those that it does not report. Characters are never more
 * than the caller sent. `seconds` are those of the audio, where its format shows them, and `sells` is what the
 * model's price counts: nothing else is estimated, and seconds are not charged beside characters.
 */
export function usageOfSpeak(
  reported: SpeakUsage | undefined,
  request: SpeakRequest,
  {
    seconds: measured,
    sells,
    ...codec
  }: Pick<SpeakCodec, "tokensPerSecond"> & {
    seconds?: number | undefined;
    sells: "tokens" | "seconds" | "characters";
  },
): SpeakUsage & Pick<Estimate, "input" | "output"> & { estimated?: true } {
  const estimate = estimateSpeak(request, codec);
  const seconds = reported?.seconds ?? measured;
  const isKnown = {
    characters: true,
    seconds: seconds !== undefined,
    tokens: reported?.output !== undefined,
  }[sells];
  const output = seconds === undefined ? estimate.output : Math.ceil(seconds * codec.tokensPerSecond);
  const unknown = sells === "tokens" ? { input: estimate.input, output } : { input: 0, output: 0 };
  const { characters: _, seconds: _s, ...tokens } = reported ?? {};
  return {
    ...unknown,
    ...tokens,
    ...(sells !== "seconds" && {
      characters: Math.min(reported?.characters ?? estimate.characters, estimate.characters),
    }),
    ...(sells !== "characters" && { seconds: seconds ?? estimate.seconds }),
    ...(!isKnown && { estimated: true as const }),
  };
}
