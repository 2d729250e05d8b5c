import {
  type SpeakCodec,
  type SpeakReply,
  type SpeakRequest,
  speakUnit,
  usageOfSpeak,
} from "@manifold-gateway/core/speech";
import type { TokenPrice } from "../catalog/cost.ts";
import type { OperationCallPlan } from "../operations/plan.ts";
import type { UsageEvent } from "../options.ts";

/** The price by which usage is stated where none is known: by what the provider reports, else by the text. */
const anyPrice = { seconds: 1, characters: 1 };

/** What speech used, at a target of this price. Of audio that broke off, its provider's figures are not known. */
export function spokenUsage(
  { upstream, request, resolution }: OperationCallPlan<SpeakRequest, SpeakCodec>,
  { end, seconds: measured }: SpeakReply,
  { isComplete, price }: { isComplete: boolean; price: TokenPrice | undefined },
): UsageEvent["usage"] {
  const reported = isComplete ? end?.usage : undefined;
  const sells = speakUnit(price ?? anyPrice, reported);
  const { seconds, ...usage } = usageOfSpeak(reported, request, {
    tokensPerSecond: upstream.tokensPerSecond,
    longest: upstream.longestFor?.(resolution.entry.name),
    seconds: measured,
    sells,
  });
  // Seconds that nothing counts are not guessed.
  const isTimed = sells === "seconds" || reported?.seconds !== undefined || measured !== undefined;
  return {
    ...usage,
    ...(isTimed && seconds !== undefined && { seconds }),
    ...(!isComplete && { estimated: true }),
  };
}
