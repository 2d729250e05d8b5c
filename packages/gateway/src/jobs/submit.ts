import type { JsonObject } from "@manifold-gateway/core/codec";
import type { ImagePreview } from "@manifold-gateway/core/operations";
import { UpstreamFault } from "@manifold-gateway/providers";
import { verdictOfFault, verdictOfStatus } from "@manifold-gateway/providers/routing";
import { ObjectFault } from "@manifold-gateway/store";
import { match, P } from "ts-pattern";
import { faultName, logFailure } from "../http/fault.ts";
import { moveToNextEntry, recordTrouble, withAttempt } from "./course.ts";
import type { SubmitReply } from "./deps.ts";
import { BROKEN, EXPIRED, fail, REDIRECTED, UNKNOWN, UNREACHED } from "./end.ts";
import { BadInput, publisher, readAsk } from "./inputs.ts";
import { GRACE, type LeasedJob, OutOfTime } from "./leased-job.ts";
import type { Provided } from "./operation.ts";
import { retry, waitOf } from "./retry.ts";
import { storeOutputs } from "./store-outputs.ts";
import { type SentCall, send } from "./submit-call.ts";

/** Submits a job that no provider has. The answer is stored before anything else is done. */
export async function submit(
  held: LeasedJob,
  work: Provided,
  preview?: (preview: ImagePreview) => void,
): Promise<void> {
  const { operation, adapter } = work;
  const { clock } = held.deps;
  let reached: Awaited<ReturnType<typeof operation.makeAccessible>>;
  try {
    const ask = await readAsk(held);
    reached = await held.within(GRACE.call, (timed) =>
      operation.makeAccessible(timed, ask, adapter.inline === true),
    );
  } catch (error) {
    return unreached(held, error);
  }
  const published: string[] = [];
  const publish = publisher(held, published);
  const result = reached.facts;
  const sending = { at: clock.now(), phase: "sending", ...(result && { result }) } as const;
  if (!(await held.note(sending))) return;
  const begun = held.with({ phase: "sending", ...(result && { result }) });
  const call = await send(begun, work, reached.ask, { publish, preview });
  const { sent, service, attempt, calls, outcome } = call;
  // As after a crash, the next worker finds the job in the phase `sending`.
  if ("error" in outcome) return held.signal.aborted ? undefined : broke(call, outcome.error);
  const { answer } = outcome;
  held.submitted(paused(answer, call.pause), attempt.ms);
  if ("state" in answer && (answer.state === "failed" || answer.state === "cancelled"))
    return refused(call, answer);
  const { status } = calls;
  const tried = withAttempt(sent, { ...attempt, ...(status !== undefined && { status }) });
  if ("id" in answer) {
    const kept = published.length > 0 ? { ...result, published } : result;
    const nextAt = clock.now() + waitOf(held, 0);
    const { course } = tried.job;
    const accepted = {
      phase: "accepted",
      upstreamId: answer.id,
      nextAt,
      ...(course && { course }),
      ...(kept && { result: kept }),
    } as const;
    // Stored as soon as possible: without the provider's id the work would be lost.
    if (await held.note({ at: clock.now(), tries: 0, ...accepted })) held.changed();
    return;
  }
  if (answer.state === "succeeded") return answered(tried, { ...work, service }, answer.result, reached.ask);
  return fail(tried, UNKNOWN, { orphan: true });
}

/** Adapts an answer for the health of its entry: the entry pauses until the first of its credentials is tried again. */
function paused(answer: SubmitReply, pause: number | undefined): SubmitReply {
  if (!("trouble" in answer) || answer.trouble?.status !== 429 || pause === undefined) return answer;
  return { ...answer, trouble: { ...answer.trouble, retryAfter: pause } };
}

/** Handles a submission that got no answer. */
async function broke({ sent, attempt, calls }: SentCall, error: unknown): Promise<void> {
  const { job } = sent;
  const { sent: wasSent } = calls;
  logFailure(sent.deps.log, error, { job: job.id }, "job submission failed");
  const { charged, elsewhere } = verdictOfFault(error);
  const isUnknown = wasSent && charged === "perhaps";
  const tried = withAttempt(sent, {
    ...{ fault: faultName(error), ...attempt },
    ...(isUnknown && { perhapsCharged: true as const }),
  });
  if (!(error instanceof UpstreamFault)) return fail(tried, wasSent ? UNKNOWN : BROKEN, { orphan: wasSent });
  sent.submitted(undefined, attempt.ms);
  const left = charged === "no" && elsewhere ? await moveToNextEntry(tried) : tried;
  if (!left) return;
  if (error.kind === "connect" || error.kind === "token") return retry(left, UNREACHED, "unsent");
  // A request that was redirected has not begun here.
  if (error.kind === "redirect") return fail(left, REDIRECTED);
  return fail(left, UNKNOWN, { orphan: true });
}

/** Handles a submission that the provider, or the adapter, refused. */
async function refused(
  { sent, attempt, calls }: SentCall,
  { state, trouble }: Extract<SubmitReply, { state: "failed" | "cancelled" }>,
): Promise<void> {
  const { sent: wasSent } = calls;
  const { kind, status } = trouble;
  const verdict = status === undefined ? undefined : verdictOfStatus(status);
  const isCertain = verdict?.charged === "no";
  const tried = withAttempt(sent, {
    ...attempt,
    ...(status === undefined ? { fault: kind } : { status }),
    ...(wasSent && !isCertain && { perhapsCharged: true as const }),
  });
  if (wasSent) recordTrouble(tried, trouble);
  // A moderated request must not be tried elsewhere. Without a status or a call, the adapter refused it.
  const mayRetry = state === "failed" && kind !== "moderated";
  const elsewhere = mayRetry && (verdict ? isCertain && verdict.elsewhere : !wasSent);
  const left = elsewhere ? await moveToNextEntry(tried) : tried;
  if (!left) return;
  if (kind !== "unavailable") return fail(left, trouble, { state });
  // Only a request that was refused before any work is sent again: other work may have been done, and charged to us.
  return isCertain ? retry(left, trouble, "unsent") : fail(left, trouble, { state, orphan: true });
}

async function unreached(held: LeasedJob, error: unknown): Promise<void> {
  if (held.signal.aborted) return;
  return match(error)
    .with(P.instanceOf(BadInput), ({ code, message }) =>
      fail(held, { kind: "refused", message, ...(code !== undefined && { code }) }),
    )
    .with(P.instanceOf(OutOfTime), () => fail(held, EXPIRED))
    .with(P.instanceOf(ObjectFault), P.instanceOf(UpstreamFault), () =>
      retry(held, { kind: "unavailable", message: "The inputs could not be prepared." }),
    )
    .otherwise(() => {
      throw error;
    });
}

/**
 * Handles work that was done within the call. Its answer is stored before its files, so that another worker can go on.
 */
async function answered(held: LeasedJob, work: Provided, answer: object, ask: object): Promise<void> {
  const { job, deps } = held;
  const { course } = job;
  const result = { ...job.result, answer: work.operation.withoutBytes(answer) as JsonObject };
  const note = { phase: "answered", result, tries: 0, ...(course && { course }) } as const;
  if (!(await held.note({ at: deps.clock.now(), ...note }))) return;
  return storeOutputs(held.with(note), work, answer, ask);
}
