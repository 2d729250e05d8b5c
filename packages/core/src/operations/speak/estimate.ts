import { countCharacters } from "../characters.ts";
import type { SpeakCodec } from "./codec.ts";
import type { SpeakRequest, SpeakUsage } from "./ir.ts";

/** Bytes of text in a token. */
const TEXT = 4;
/** The fewest characters that a second of speech says. */
const PACE = 10;

type Estimate = Required<Pick<SpeakUsage, "characters" | "seconds" | "input" | "output" | "audioOutput">>;
type Voiced = Pick<SpeakCodec, "tokensPerSecond"> & {
  /** The most seconds that the model makes. Absent: it has no bound of its own. */
  longest?: number | undefined;
};

/** What speech is likely to use: charged where the provider reports nothing. */
function likelySpeak({ text, speed = 1, instructions = "" }: SpeakRequest, voiced: Voiced): Estimate {
  const { tokensPerSecond, longest = Number.POSITIVE_INFINITY } = voiced;
  const characters = countCharacters(text);
  const seconds = Math.min(Math.ceil((characters / PACE / speed) * 1000) / 1000, longest);
  const output = Math.ceil(seconds * tokensPerSecond);
  return {
    characters,
    seconds,
    input: Math.ceil(new TextEncoder().encode(text + instructions).length / TEXT),
    output,
    audioOutput: output,
  };
}

/** What a price counts. One that counts both seconds and characters counts what the provider reports. */
export function speakUnit(
  price: { readonly seconds?: number; readonly characters?: number },
  reported: SpeakUsage = {},
): "tokens" | "seconds" | "characters" {
  const isTimed = (price.seconds ?? 0) > 0;
  if (isTimed && reported.seconds !== undefined) return "seconds";
  if ((price.characters ?? 0) > 0) return "characters";
  return isTimed ? "seconds" : "tokens";
}

/** What is held before speech: what it is likely to use, and all seconds that its model can make. */
export function estimateSpeak(request: SpeakRequest, voiced: Voiced): Estimate {
  const likely = likelySpeak(request, voiced);
  return { ...likely, seconds: voiced.longest ?? likely.seconds };
}

/**
 * What is charged: the provider's figures, and estimates for those that it does not report. Characters are never more
 * than the caller sent, and seconds that are reported never more than were held. `seconds` are those of the audio,
 * where its format shows them, and `sells` is what the model's price counts: nothing else is estimated, and seconds
 * are not charged beside characters.
 */
export function usageOfSpeak(
  reported: SpeakUsage | undefined,
  request: SpeakRequest,
  {
    seconds: measured,
    sells,
    ...voiced
  }: Voiced & {
    seconds?: number | undefined;
    sells: "tokens" | "seconds" | "characters";
  },
): SpeakUsage & Pick<Estimate, "input" | "output"> & { estimated?: true } {
  const likely = likelySpeak(request, voiced);
  const bounded =
    reported?.seconds === undefined
      ? undefined
      : Math.min(reported.seconds, voiced.longest ?? likely.seconds);
  const seconds = bounded ?? measured;
  const isKnown = {
    characters: true,
    seconds: seconds !== undefined,
    tokens: reported?.output !== undefined,
  }[sells];
  const output = seconds === undefined ? likely.output : Math.ceil(seconds * voiced.tokensPerSecond);
  const unknown = sells === "tokens" ? { input: likely.input, output } : { input: 0, output: 0 };
  const { characters: _, seconds: _s, ...tokens } = reported ?? {};
  return {
    ...unknown,
    // Nothing but audio is generated, whether or not a provider says so.
    ...(sells === "tokens" && { audioOutput: tokens.output ?? output }),
    ...tokens,
    ...(sells !== "seconds" && {
      characters: Math.min(reported?.characters ?? likely.characters, likely.characters),
    }),
    ...(sells !== "characters" && { seconds: seconds ?? likely.seconds }),
    ...(!isKnown && { estimated: true as const }),
  };
}
