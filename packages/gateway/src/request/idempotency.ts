import { createHash } from "node:crypto";
import type { KeptAnswer, Repeatable, Repeated } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import { DAY } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { RunningRequest } from "./running-request.ts";

const NAME = /^[!-~]{1,255}$/;
/** How long an idempotency key stays in use, in milliseconds. */
const LIFE = DAY;
/**
 * The time, in milliseconds, after which a request without a generation is taken for one whose process died. It is
 * longer than all steps before the generation may take, including the fetching of files: see `FETCH_TIMEOUT`.
 */
const LOST = 60_000;
/** The longest stored answer, in characters. */
const LONGEST = 256 * 1024;

type Repeating = RunningRequest & Pick<Context, "caller">;

/**
 * Runs a request once for each `Idempotency-Key` of a caller and path; `name` is that key. A repetition with the same
 * body gets the same answer. If that was a stream, was too long to store or is not there yet, it gets a 409 that names
 * the generation, or the batch. Another body is a 422. A request that was refused or failed at no cost may be repeated.
 */
export async function withIdempotency(
  running: Repeating,
  name: string,
  run: (running: RunningRequest) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const { exchange, services, caller, input } = running;
  if (!NAME.test(name))
    throw new Refusal(
      "invalid_idempotency_key",
      "Idempotency-Key: must be 1 to 255 printable ASCII characters.",
    );
  const id = services.id();
  const request: Repeatable = {
    accountId: caller.accountId,
    route: exchange.path,
    // Ids of keys contain no spaces, so no two pairs of key and name are equal.
    name: `${caller.keyId ?? "session"} ${name}`,
    bodyHash: createHash("sha256")
      .update(input.json?.bytes ?? "")
      .digest("base64url"),
    generationId: id,
    at: services.now(),
  };
  const before = await begin(running, request);
  if (before) return repeat(running, request, before);
  // What the request makes gets the id that is stored with the name, so that a repetition finds it after a crash.
  running.reservedId = id;
  let answer: Answer | undefined;
  try {
    answer = await run(running);
  } catch (error) {
    await end(running, request, undefined);
    throw error;
  }
  await end(running, request, answer);
  return answer;
}

/** Claims the name for this request. Returns the earlier request that has it, unless that one is over. */
async function begin(context: Repeating, request: Repeatable): Promise<Repeated | undefined> {
  const { store } = context.services;
  const before = await store.repeats.begin(request);
  if (!before || !(await isOver(context, before))) return before;
  await store.repeats.forget({ ...request, generationId: before.generationId });
  return store.repeats.begin(request);
}

async function isOver(context: Repeating, before: Repeated): Promise<boolean> {
  const age = context.services.now() - before.createdAt;
  if (age >= LIFE) return true;
  if (before.state === "done" || age < LOST) return false;
  return (await workOf(context, before.generationId)) === undefined;
}

/** What a request did. */
interface Work {
  isPending: boolean;
  /** In milliseconds since the epoch. */
  endedAt: number;
  /** True if it failed at no cost, and may be repeated. */
  isNothing: boolean;
}

/** Reads what the request with this id did: its generation, or the batch that it began. */
async function workOf({ services, caller, route }: Repeating, id: string): Promise<Work | undefined> {
  const { generations, batches } = services.store;
  const { accountId } = caller;
  if (route.begins !== undefined) {
    const batch = await batches.get({ id: route.begins + id, accountId });
    return batch && { isPending: false, endedAt: batch.createdAt, isNothing: false };
  }
  const generation = await generations.get({ id, accountId });
  if (!generation) return undefined;
  const { status, cost, createdAt, durationMs = 0 } = generation;
  const isNothing = status !== "succeeded" && !cost;
  return { isPending: status === "pending", endedAt: createdAt + durationMs, isNothing };
}

async function repeat(context: Repeating, request: Repeatable, before: Repeated): Promise<Answer> {
  if (before.bodyHash !== request.bodyHash)
    throw new Refusal("idempotency_key_reused", "This Idempotency-Key was used with another body.");
  const { answer, generationId: id } = before;
  if (answer)
    return {
      status: answer.status,
      headers: { ...answer.headers, "idempotency-replayed": "true" },
      body: answer.body,
    };
  const work = await workOf(context, id);
  // A request still counts as running between its settlement and the storing of its answer.
  const isRecent = work === undefined || context.services.now() - work.endedAt < LOST;
  const isRunning = before.state === "open" && (isRecent || work.isPending);
  const { begins } = context.route;
  const headers: Record<string, string> = begins === undefined ? { "x-generation-id": id } : {};
  if (isRunning) headers["retry-after"] = "1";
  else headers["x-should-retry"] = "false";
  const what = isRunning ? "is still running" : "has ended, but its response was not stored";
  throw new Refusal(
    isRunning ? "idempotency_key_in_use" : "idempotency_answer_not_kept",
    `A request with this Idempotency-Key ${what}: ${begins === undefined ? "generation " : `batch ${begins}`}${id}.`,
    { headers },
  );
}

/**
 * Stores the answer, or frees the name if the request has done nothing. An error is only logged: the work is done, so
 * the caller gets the answer, and the name stays in use, so that the work is not repeated.
 */
async function end(running: Repeating, request: Repeatable, answer: Answer | undefined) {
  const { id: requestId, services, progress } = running;
  const { store, log } = services;
  // With a fallback the last generation decides, because those before it cost nothing.
  const id = progress.generation ?? request.generationId;
  try {
    if (!answer || (answer.status ?? 200) >= 400) {
      const work = await workOf(running, id);
      if (!work || work.isNothing) return await store.repeats.forget(request);
    }
    const kept = answer && toKept(answer);
    await store.repeats.end({ ...request, ...(kept && { answer: kept }) });
  } catch (error) {
    logFailure(log, error, { request: requestId, generation: id }, "answer not kept");
  }
}

function toKept({ status = 200, headers = {}, body }: Answer): KeptAnswer | undefined {
  if (body instanceof Uint8Array) return undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? null);
  return text.length > LONGEST ? undefined : { status, headers, body: text };
}
