import { isDeepStrictEqual } from "node:util";
import { type JsonObject, toJsonText } from "@manifold-gateway/core/codec";
import type { Trouble } from "@manifold-gateway/providers";
import type { Job, JobEntry, ProviderError } from "@manifold-gateway/store";
import { match } from "ts-pattern";
import { holdOf } from "../billing/amounts.ts";
import { wordsOf } from "../generation/provider-error.ts";
import type { Fallback, Order } from "../ports/jobs.ts";
import type { Attempt } from "../ports/routing.ts";
import { entryId } from "../routing/candidate.ts";
import type { JobDeps } from "./deps.ts";
import type { LeasedJob } from "./leased-job.ts";

/** An entry where a job may go on. `ask` has the members that differ from the job's request; `null` removes one. */
interface KeptFallback extends Omit<Fallback, "ask"> {
  ask: JsonObject;
  /** The hold, in micro-USD. */
  amount: number;
}

/** The entries to which a job was sent and may still be sent; stored with the job until it ends. */
interface Course {
  /** The route at the present entry, for the record. */
  route: JsonObject;
  attempts: readonly Attempt[];
  fallbacks: readonly KeptFallback[];
  /** The changes of the request for the present entry. */
  ask?: JsonObject;
}

const toJson = (course: Course): JsonObject => course as unknown as JsonObject;

/** Jobs of earlier versions have no course. */
const courseOf = ({ course }: Pick<Job, "course">): Course | undefined => course as unknown as Course;

/** The route for a record. It names the entry even if the order has no route. */
export const routeAt = ({ route, entry }: Pick<Order, "route" | "entry">): JsonObject => ({
  ...route,
  provider: entry.provider,
  name: entry.name,
  protocol: entry.wire,
});

/** The course of a new job. Drops a fallback whose changes of the request are too large to store. */
export function toCourse(
  { id, ask, fallbacks = [], attempts = [] }: Order,
  route: JsonObject,
  { limits, log }: Pick<JobDeps, "limits" | "log">,
): JsonObject {
  const kept = fallbacks.flatMap((fallback): KeptFallback[] => {
    const changes = changesIn(ask, fallback.ask);
    const amount = holdOf(fallback.estimate, fallback.price);
    if (JSON.stringify(changes).length <= limits.ask) return [{ ...fallback, ask: changes, amount }];
    log.warn({ job: id, provider: fallback.entry.provider }, "job fallback too long to keep");
    return [];
  });
  return toJson({ route, attempts, fallbacks: kept });
}

/** The members that differ between two requests. */
function changesIn(from: object, to: object): JsonObject {
  const [before, after] = [from, to] as [JsonObject, JsonObject];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/** Adapts the request of a job to its present entry. */
export function askAt(job: Pick<Job, "course">, ask: JsonObject): JsonObject {
  const changes = courseOf(job)?.ask;
  if (!changes) return ask;
  return Object.fromEntries(Object.entries({ ...ask, ...changes }).filter(([, value]) => value !== null));
}

/** The route of a job and its attempts, for the record. */
export function routeOf(job: Pick<Job, "course">): JsonObject | undefined {
  const { route, attempts = [] } = courseOf(job) ?? {};
  if (!route) return undefined;
  return attempts.length > 0 ? { ...route, attempts: attempts.map((attempt) => ({ ...attempt })) } : route;
}

/** The name of the credential of a job's last attempt, if its provider has several. */
export const credentialOf = (job: Pick<Job, "course">): string | undefined =>
  courseOf(job)?.attempts.at(-1)?.credential;

/** Keeps what a provider answered to the last attempt of a job, for its record. */
export function recordTrouble({ job, deps }: LeasedJob, { code, message, body }: Trouble): void {
  const attempt = (courseOf(job)?.attempts.length ?? 0) - 1;
  if (attempt < 0) return;
  const text = body && toJsonText(body);
  const error: ProviderError = {
    ...{ attempt, message },
    ...(code !== undefined && { code }),
    ...(text && { ...wordsOf(text), body: text }),
  };
  deps.store.contents.keepErrors({ id: job.id, account: job.accountId, at: job.createdAt }, [error]);
}

/** Adds an attempt to the job's course, at the job's own entry by default. */
export function withAttempt(
  held: LeasedJob,
  facts: Omit<Attempt, "entry" | "provider">,
  entry: JobEntry | undefined = held.job.entry,
): LeasedJob {
  const { job } = held;
  const course = courseOf(job);
  if (!course || !entry) return held;
  const attempt: Attempt = { entry: entryId({ id: job.model }, entry), provider: entry.provider, ...facts };
  return held.with({ course: toJson({ ...course, attempts: [...course.attempts, attempt] }) });
}

/**
 * Moves a job that its entry has certainly not begun to the next entry that takes it. Returns the job, with its
 * attempts, if there is none, and `undefined` once the job was moved or is lost. Entry, price, hold and record change
 * in one commit: after a crash the job is at one of the two entries.
 */
export async function moveToNextEntry(held: LeasedJob): Promise<LeasedJob | undefined> {
  let left = held;
  for (;;) {
    const course = courseOf(left.job);
    const [next, ...fallbacks] = course?.fallbacks ?? [];
    if (!course || !next) return left;
    left = left.with({ course: toJson({ ...course, fallbacks }) });
    const fault = await moveTo(left, next);
    if (fault === undefined) return undefined;
    left = withAttempt(left, { fault, ms: 0 }, next.entry);
  }
}

/**
 * Moves a job to another entry. Returns the fault that prevents it, or `undefined` if the job is no longer this
 * worker's.
 */
async function moveTo(held: LeasedJob, fallback: KeptFallback) {
  const { ask, entry, price, estimate, amount } = fallback;
  const { job } = held;
  const { store, clock, policy, health } = held.deps;
  if (health.enter && !health.enter(job, entry)) return "circuit_open";
  const course = toJson({ ...(courseOf(job) as Course), route: routeAt(fallback), ask });
  const moved = await store.jobs.move(held.ref, {
    at: clock.now(),
    entry,
    price: price as JsonObject,
    estimate: estimate as JsonObject,
    course,
    tries: job.tries,
    amount,
    policy,
    route: routeOf({ course }),
  });
  if (moved.ok) return undefined;
  health.onNotDispatched?.({ ...job, entry });
  return match(moved.reason)
    .with("lost", () => undefined)
    .with("balance", () => "insufficient_balance")
    .with("cap", () => "spend_limit_reached")
    .exhaustive();
}
