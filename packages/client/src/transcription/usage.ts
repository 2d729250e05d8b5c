import {
  type TranscriptionCodec,
  type TranscriptionReply,
  type TranscriptionRequest,
  transcriptionUnit,
  usageOfTranscription,
} from "@manifold-gateway/core/transcription";
import type { TokenPrice } from "../catalog/cost.ts";
import type { OperationCallPlan } from "../operations/plan.ts";
import type { UsageEvent } from "../options.ts";

/** What is known of a transcript's usage, and whether that has what its price counts. */
export interface TranscribedUsage {
  usage: UsageEvent["usage"];
  isPriced: boolean;
}

/**
 * What a transcript used, at a target of this price: as its provider counted it. The recording is not measured here, so
 * that nothing is known, and nothing is guessed, where the provider reports neither tokens nor seconds.
 */
export function transcribedUsage(
  { upstream, request }: OperationCallPlan<TranscriptionRequest, TranscriptionCodec>,
  { usage: reported, seconds: length }: Pick<TranscriptionReply, "usage" | "seconds">,
  price: TokenPrice | undefined,
): TranscribedUsage | undefined {
  const seconds = reported?.seconds ?? length;
  const isCounted = reported?.input !== undefined;
  const sells = price ? transcriptionUnit(price) : isCounted ? "tokens" : "seconds";
  if (seconds !== undefined) {
    // Of the length that the provider found, tokens can be estimated.
    const measured = { ...request, file: { ...request.file, seconds } };
    const { tokensPerSecond } = upstream;
    const usage = usageOfTranscription({ ...reported, seconds }, measured, { tokensPerSecond, sells });
    return { usage, isPriced: true };
  }
  return isCounted
    ? { usage: { input: 0, output: 0, ...reported }, isPriced: sells === "tokens" }
    : undefined;
}
