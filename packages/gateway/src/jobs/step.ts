import { type JsonObject, parseObject, toObject } from "@manifold/core/codec";
import type { ImagePreview } from "@manifold/core/operations";
import {
  type Adapter,
  DownloadFault,
  type Progress,
  type Service,
  type Trouble,
  UpstreamFault,
} from "@manifold/providers";
import { ObjectFault } from "@manifold/store";
import { match, P } from "ts-pattern";
import { logFailure } from "../fault.ts";
import { verdictOfStatus } from "../routing/verdict.ts";
import { BadOutput, isPassing, LostOutput, NotReady } from "./archive.ts";
import { beforeCalls, type LeasedJob, lineOf, OutOfTime, refOf, within } from "./deps.ts";
import { BROKEN, EXPIRED, fail, LOST, REDIRECTED, succeed, UNKNOWN, UNSERVED } from "./end.ts";
import { BadInput, publisher } from "./inputs.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";

interface Work {
  operation: Operation<object, object>;
  adapter: Adapter<object, object, ImagePreview>;
  service: Service;
}

/** The number of times in a row a provider has to deny knowing its own work. */
const MISSED = 3;

/** The time past its deadline that a call of a job, and the storing of its outputs, may take, in milliseconds. */
const GRACE = { call: 60_000, store: 600_000 } as const;

/** Takes a job one step further: submits it, or asks how far it is. Rejects for defects and for what passes. */
export async function step(held: LeasedJob, preview?: (preview: ImagePreview) => void): Promise<void> {
  const { job, clock } = held;
  // The worker before may have reached the provider without getting its answer.
  if (job.phase === "sending") return fail(held, UNKNOWN, { orphan: true });
  const operation = operations[job.kind];
  const provider = operation.provider(held);
  if (!provider) return unserved(held);
  const work = { operation, ...provider };
  if (job.phase === "accepted") return poll(held, work);
  if (job.phase === "answered") return storeOutputs(held, work, toObject(job.result?.answer));
  if (clock.now() >= job.deadline) return fail(held, EXPIRED);
  return submit(held, work, preview);
}

/**
 * A job that a provider has is not given up before its time: the provider may only be missing from this
 * configuration.
 */
async function unserved(held: LeasedJob): Promise<void> {
  const { job, store, clock } = held;
  const at = clock.now();
  const hasIt = job.phase !== "unsent";
  if (!hasIt || at >= job.deadline) return fail(held, UNSERVED, { orphan: hasIt });
  const nextAt = Math.min(at + waitOf(held, job.polls), job.deadline);
  await store.jobs.note(refOf(held), { at, polls: job.polls + 1, nextAt });
}

async function submit(held: LeasedJob, work: Work, preview?: (preview: ImagePreview) => void): Promise<void> {
  const { operation, adapter, service } = work;
  const { store, clock } = held;
  let reached: Awaited<ReturnType<typeof operation.reach>>;
  try {
    const ask = await readAsk(held);
    reached = await within(held, GRACE.call, (timed) => operation.reach(timed, ask, adapter.inline === true));
  } catch (error) {
    return unreached(held, error);
  }
  const published: string[] = [];
  const publish = publisher(held, published);
  const result = reached.kept;
  const sending = { at: clock.now(), phase: "sending", ...(result && { result }) } as const;
  if (!(await store.jobs.note(refOf(held), sending))) return;
  const sent: LeasedJob = { ...held, job: { ...held.job, phase: "sending", ...(result && { result }) } };
  let answer: Awaited<ReturnType<typeof adapter.submit>>;
  let isSent = false;
  try {
    answer = await within(held, GRACE.call, (timed) => {
      const line = lineOf(timed, service, "submit", publish);
      const client = beforeCalls(line.client, () => {
        isSent = true;
      });
      return adapter.submit({ ...line, client }, reached.ask, preview);
    });
    held.onSubmitted?.(held.job, answer, clock.now() - sending.at);
  } catch (error) {
    // As after a crash: the next worker finds the job being sent.
    if (held.signal.aborted) return;
    logFailure(held.log, error, { job: held.job.id }, "job submission broke off");
    if (!(error instanceof UpstreamFault)) return fail(sent, isSent ? UNKNOWN : BROKEN, { orphan: isSent });
    held.onSubmitted?.(held.job, undefined, clock.now() - sending.at);
    if (error.kind === "connect") return retry(sent, UNREACHED, "unsent");
    // An order that goes to another provider has not begun at this one.
    if (error.kind === "redirect") return fail(sent, REDIRECTED);
    return fail(sent, UNKNOWN, { orphan: true });
  }
  if ("id" in answer) {
    const kept = published.length > 0 ? { ...result, published } : result;
    const nextAt = clock.now() + waitOf(held, 0);
    const accepted = {
      phase: "accepted",
      upstreamId: answer.id,
      nextAt,
      ...(kept && { result: kept }),
    } as const;
    // A provider's word is worth a second try: without it, the work is lost to us.
    if (await store.jobs.note(refOf(held), { at: clock.now(), tries: 0, ...accepted }))
      held.changed(held.job.id);
    return;
  }
  if (answer.state === "succeeded") return answered(sent, work, answer.result, reached.ask);
  if (answer.state !== "failed" && answer.state !== "cancelled") return fail(sent, UNKNOWN, { orphan: true });
  const { trouble, state } = answer;
  if (trouble.kind !== "unavailable") return fail(sent, trouble, { state });
  // Only what was turned away before any work may be sent again: all else may have been done, and charged to us.
  const { status } = trouble;
  if (status === undefined || verdictOfStatus(status).charged !== "no")
    return fail(sent, trouble, { state, orphan: true });
  return retry(sent, trouble, "unsent");
}

/** Work that was done at once. That is noted before its files are stored, so that the next worker can go on. */
async function answered(held: LeasedJob, work: Work, answer: object, ask: object): Promise<void> {
  const { job, store, clock } = held;
  const result = { ...job.result, answer: work.operation.told(answer) as JsonObject };
  const note = { phase: "answered", result, tries: 0 } as const;
  if (!(await store.jobs.note(refOf(held), { at: clock.now(), ...note }))) return;
  return storeOutputs({ ...held, job: { ...job, ...note } }, work, answer, ask);
}

const UNREACHED: Trouble = { kind: "unavailable", message: "The provider could not be reached." };
const UNSTORED: Trouble = { kind: "unavailable", message: "The output could not be fetched and stored." };

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

async function poll(held: LeasedJob, work: Work): Promise<void> {
  const { service, adapter } = work;
  const { job, store, clock } = held;
  const id = job.upstreamId ?? "";
  const { poll } = adapter;
  if (!poll) return fail(held, UNSERVED, { orphan: true });
  let progress: Progress<object>;
  try {
    progress = await within(held, GRACE.call, (timed) => poll(lineOf(timed, service, "poll"), id));
  } catch (error) {
    if (held.signal.aborted) return;
    if (!(error instanceof UpstreamFault)) throw error;
    progress = { state: "running", trouble: UNREACHED };
  }
  if (progress.state === "succeeded") return storeOutputs(held, work, progress.result);
  const at = clock.now();
  const isOver = at >= job.deadline;
  if (progress.state === "failed" || progress.state === "cancelled") {
    const isLost = progress.trouble.status === 404 && job.tries + 1 < MISSED && !isOver;
    if (isLost) return later(held, { tries: job.tries + 1 });
    return fail(held, progress.trouble, { state: progress.state });
  }
  if (isOver) {
    const isStopped = await stop(held, work);
    if (!held.signal.aborted) await fail(held, EXPIRED, { orphan: !isStopped });
    return;
  }
  const { trouble } = progress;
  // A poll without an answer, or with an unknown one, says nothing about the work.
  const state = trouble || job.state === "running" ? undefined : progress.state;
  await later(held, { ...(state && { state }), tries: 0 }, trouble?.retryAfter);
  if (state && state !== job.state) held.changed(job.id);

  async function later(one: LeasedJob, note: object, least = 0): Promise<void> {
    const nextAt = Math.min(at + Math.max(waitOf(one, job.polls), least), job.deadline);
    await store.jobs.note(refOf(one), { at, polls: job.polls + 1, nextAt, ...note });
  }
}

/** Asks a provider to stop. What it says to that is not believed, but that its work has come to nothing. */
async function stop(held: LeasedJob, { adapter, service }: Work): Promise<boolean> {
  const { id: job, upstreamId: id = "" } = held.job;
  const { cancel, poll } = adapter;
  if (!cancel) return false;
  try {
    return await within(held, GRACE.call, async (timed) => {
      await cancel(lineOf(timed, service, "cancel"), id);
      const left = await poll?.(lineOf(timed, service, "poll"), id);
      return left?.state === "cancelled" || left?.state === "failed";
    });
  } catch (error) {
    logFailure(held.log, error, { job, upstream: id }, "job given up, and not cancelled");
    return false;
  }
}

async function storeOutputs(
  held: LeasedJob,
  { operation, service }: Work,
  result: object,
  ask?: object,
): Promise<void> {
  try {
    const known = ask ?? (held.job.kind === "speech" ? await readAsk(held) : undefined);
    const made = await within(held, GRACE.store, (timed) =>
      operation.keep(timed, known, result, lineOf(timed, service, "fetch")),
    );
    await succeed(held, made);
  } catch (error) {
    if (held.signal.aborted) return;
    const warn = (): void =>
      held.log.warn({ job: held.job.id, fault: codeOf(error) }, "job output not stored");
    return match(error)
      .with(P.instanceOf(LostOutput), () => fail(held, LOST, { orphan: true }))
      .with(P.instanceOf(BadOutput), ({ message }) => fail(held, { kind: "unavailable", message }))
      .with(P.instanceOf(OutOfTime), () => fail(held, UNSTORED))
      .with(
        P.union(
          P.when(isPassing),
          P.instanceOf(NotReady),
          P.instanceOf(UpstreamFault),
          P.instanceOf(ObjectFault),
        ),
        () => {
          warn();
          return retry(held, UNSTORED);
        },
      )
      .with(P.instanceOf(DownloadFault), () => {
        warn();
        return fail(held, UNSTORED);
      })
      .otherwise(() => {
        throw error;
      });
  }
}

/** Puts off what failed in passing, until it has failed too often or there is no time left. */
async function retry(held: LeasedJob, trouble: Trouble, phase?: "unsent"): Promise<void> {
  const { job, limits, clock, store } = held;
  const at = clock.now();
  const backoff = Math.min(limits.retry.initial * 2 ** job.tries, limits.retry.max);
  const nextAt = at + Math.max(jitter(held, backoff), trouble.retryAfter ?? 0);
  if (job.tries + 1 >= limits.tries || nextAt >= job.deadline) return fail(held, trouble);
  await store.jobs.note(refOf(held), { at, tries: job.tries + 1, nextAt, ...(phase && { phase }) });
}

function waitOf(held: LeasedJob, polls: number): number {
  const { initial: first, max: most, factor } = held.limits.poll[held.job.kind];
  return jitter(held, Math.min(first * factor ** Math.min(polls, 64), most));
}

/** A tenth more or less, so that what began together does not go on together. */
const jitter = ({ random }: LeasedJob, ms: number): number => Math.round(ms * (0.9 + 0.2 * random()));

async function readAsk({ job, objects }: LeasedJob): Promise<object> {
  if (job.ask) return job.ask;
  const stored = job.attachment === undefined ? undefined : await objects.get(job.attachment);
  if (!stored) throw new BadInput("The request is not kept any more.");
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored.stream) chunks.push(chunk);
  const ask: JsonObject | undefined = parseObject(Buffer.concat(chunks).toString());
  if (!ask) throw new BadInput("The request is not kept any more.");
  return ask;
}

const codeOf = (error: unknown): string =>
  error instanceof UpstreamFault ? error.kind : ((error as { code?: string }).code ?? (error as Error).name);
