import {
  type SoundMeter,
  type TranscriptionReply,
  transcriptionUnit,
  usageOfTranscription,
} from "@manifold-gateway/core/operations";
import { hasPossibleTokens } from "../operations/answered.ts";
import type { Used } from "../ports/billing.ts";
import type { Entry } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import type { AnsweredTranscription } from "./reply.ts";

/** The meter of an entry's recordings, if it has one. */
export const meterOf = ({ meter }: Pick<Entry, "meter">): SoundMeter | undefined =>
  meter?.by === "sound" ? meter : undefined;

/** What a transcript is charged for, by what its provider reported of it. */
export function usedBy(
  context: Context<"holds" | "log">,
  answered: Pick<AnsweredTranscription, "ask" | "plan">,
  reply: Pick<TranscriptionReply, "seconds" | "usage">,
): Used {
  const { plan } = answered;
  const { entry, terms } = plan.resolution;
  const seconds = reply.usage?.seconds ?? reply.seconds;
  const reported = { ...reply.usage, ...(seconds !== undefined && { seconds }) };
  const { input: _, output: _o, audioInput: _a, ...timed } = reported;
  const credible = hasPossibleTokens(context, answered, reported) ? reported : timed;
  return usageOfTranscription(credible, plan.request, {
    tokensPerSecond: plan.upstream.tokensPerSecond,
    meter: meterOf(entry),
    sells: transcriptionUnit(terms.price),
  });
}
