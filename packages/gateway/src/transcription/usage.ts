import {
  type SoundMeter,
  type TranscriptionReply,
  transcriptionUnit,
  usageOfTranscription,
} from "@manifold-gateway/core/operations";
import { reportImpossible } from "../observe/observed-call.ts";
import type { Used } from "../operations/operation.ts";
import type { Entry } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import { impossibleTokens, mostTokens, sizeOf } from "../text/impossible-usage.ts";
import type { AnsweredTranscription } from "./reply.ts";

/** The meter of an entry's recordings, if it has one. */
export const meterOf = ({ meter }: Pick<Entry, "meter">): SoundMeter | undefined =>
  meter?.by === "sound" ? meter : undefined;

/** What a transcript is charged for, by what its provider reported of it. */
export function usedBy(
  context: Context<"holds" | "log">,
  { plan, ask }: Pick<AnsweredTranscription, "ask" | "plan">,
  reply: Pick<TranscriptionReply, "seconds" | "usage">,
): Used {
  const { entry, terms } = plan.resolution;
  const seconds = reply.usage?.seconds ?? reply.seconds;
  const reported = { ...reply.usage, ...(seconds !== undefined && { seconds }) };
  const most = mostTokens(sizeOf(ask.body), entry, context.services.holds);
  const impossible = impossibleTokens(reported, most);
  if (impossible.length > 0) reportImpossible(context, plan.resolution, impossible, reported);
  const { input: _, output: _o, audioInput: _a, ...timed } = reported;
  return usageOfTranscription(impossible.length === 0 ? reported : timed, plan.request, {
    tokensPerSecond: plan.upstream.tokensPerSecond,
    meter: meterOf(entry),
    sells: transcriptionUnit(terms.price),
  });
}
