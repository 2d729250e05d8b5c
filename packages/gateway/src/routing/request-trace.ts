import type { Loss } from "@manifold-gateway/core";
import { type ProviderError, toUsd } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { Outcome, ReplyText } from "../ports/billing.ts";
import type { FallbackCause } from "../ports/catalog.ts";
import type { Context, LossPolicy, RequestSummary } from "../ports/context.ts";
import type { Attempt } from "../ports/routing.ts";
import type { Open } from "./candidate.ts";
import { writeList, writeLosses } from "./losses.ts";
import type { EntryQueue } from "./queue.ts";
import type { Sent, Spoken } from "./record.ts";
import type { Speed } from "./speed.ts";

/** The state of a running request, from which its headers, its record and its log line are written. */
export class RequestTrace {
  /** A monotonic clock, in milliseconds. */
  readonly steady: () => number;
  readonly began: number;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly policy: LossPolicy;
  readonly attempts: Attempt[] = [];
  /** Stages, each with the time at which it ended. */
  readonly stages: [name: string, at: number][] = [];
  generation: string | undefined = undefined;
  queue: EntryQueue<unknown, Open & Spoken> | undefined = undefined;
  /** The plan that was sent, or would be. */
  plan: Sent | undefined = undefined;
  /** What providers answered to attempts that they refused; undefined for one whose body could not be read. */
  errors: Promise<ProviderError | undefined>[] | undefined = undefined;
  /** The reply, if its record keeps it. */
  reply: ReplyText | undefined = undefined;
  /** The reason why there was no answer, or why it broke off. */
  fault: string | undefined = undefined;
  /** The provider is not to blame for that. */
  isBlameless = false;
  /** The headers of the provider's answer about its limits, if the caller speaks its protocol. */
  readonly vendorLimits: Record<string, string> = {};
  /** Losses of the reply. */
  replyLosses: readonly Loss[] = [];
  /** The model that the caller asked for, where another one is asked in its place, and why. */
  fallback: { from: string; cause: FallbackCause } | undefined = undefined;
  /** The attempts of models before this one. */
  earlier: readonly Attempt[] = [];
  /** The request names models that may answer in place of its own. */
  hasFallbacks = false;
  /** What the cache of answers has to do with the request, if it may be in it: hit, miss, or why neither. */
  cache: string | undefined = undefined;
  /** The cost in micro-USD. */
  cost: number | undefined = undefined;
  /** The usage from which the cost was computed. */
  usage: Outcome["usage"] = undefined;
  /** When the provider was called, when its first bytes arrived, and whether they were the whole answer. */
  called: number | undefined = undefined;
  first: number | undefined = undefined;
  whole = false;
  speed: Speed | undefined = undefined;

  constructor(model: string, policy: LossPolicy, steady: () => number) {
    this.steady = steady;
    this.began = steady();
    this.model = model;
    this.policy = policy;
  }

  /** The part of the request's log line that is about its generation. */
  summary(): RequestSummary {
    const { model, plan, attempts, earlier, fault, cost, usage, fallback } = this;
    const last = attempts.at(-1);
    const made = earlier.length + attempts.length;
    const succeededAtOnce = made === 1 && (last?.status ?? 500) < 400;
    return {
      model,
      ...(fallback && { fallbackFrom: fallback.from }),
      entry: last?.entry ?? plan?.resolution.id,
      provider: last?.provider ?? plan?.resolution.provider.id,
      attempts: made,
      failed: succeededAtOnce ? undefined : failuresOf([...earlier, ...attempts]),
      fault: fault ?? last?.fault,
      cost,
      input: usage?.input,
      output: usage?.output,
    };
  }
}

/** Begins the trace of a request, for its headers, its record and its log line. */
export function startTrace(context: Context<"steady">, model: string): RequestTrace {
  const trace = new RequestTrace(model, context.options.losses, context.services.steady);
  context.progress.trace = trace;
  return trace;
}

/** Records that a stage has ended. */
export const endStage = (trace: RequestTrace, stage: string): void =>
  void trace.stages.push([stage, trace.steady()]);

/** The headers of an answer, with what is known so far. */
export function traceHeaders(trace: RequestTrace): Record<string, string> {
  const { generation, plan, cost, policy } = trace;
  const attempts = trace.earlier.length > 0 ? [...trace.earlier, ...trace.attempts] : trace.attempts;
  const headers: Record<string, string> = { ...trace.vendorLimits };
  if (generation !== undefined) headers["x-generation-id"] = generation;
  const entry = attempts.at(-1)?.entry ?? plan?.resolution.id;
  if (entry !== undefined) headers["x-entry"] = entry;
  if (attempts.length > 0) headers["x-attempts"] = attempts.map(describeAttempt).join(", ");
  if (plan) {
    const { model } = plan.resolution;
    if (trace.fallback || trace.hasFallbacks || model.fallbacks) headers["x-model"] = model.id;
    headers["x-translation"] = plan.translated ? "translated" : "passthrough";
    if (plan.hints.length > 0) headers["x-hints"] = writeList(plan.hints);
    const isLossy = plan.losses.length > 0 || trace.replyLosses.length > 0;
    if (isLossy && policy !== "allow") headers["x-losses"] = writeLosses(plan.losses, trace.replyLosses);
  }
  if (trace.cache !== undefined) headers["x-cache"] = trace.cache;
  if (cost !== undefined) headers["x-cost"] = toUsd(cost).toFixed(6);
  if (trace.whole && trace.speed) {
    const { firstTokenMs, tokensPerSecond } = trace.speed;
    headers["x-first-token-ms"] = String(firstTokenMs);
    if (tokensPerSecond !== undefined) headers["x-tokens-per-second"] = String(tokensPerSecond);
  }
  if (trace.stages.length > 0) headers["server-timing"] = timing(trace);
  return headers;
}

/** The attempts that failed, each by its provider and its status or fault; undefined if none did. */
function failuresOf(attempts: readonly Attempt[]): string[] | undefined {
  const failed = attempts.filter(({ status }) => status === undefined || status >= 400);
  if (failed.length === 0) return undefined;
  return failed.map(({ provider, status, fault }) => `${provider} ${status ?? fault}`);
}

const describeAttempt = ({ entry, status, fault, ms }: Attempt): string =>
  `${entry};${status === undefined ? `fault=${fault}` : `status=${status}`};ms=${ms}`;

function timing({ stages, began }: RequestTrace): string {
  let from = began;
  let text = "";
  for (const [name, at] of stages) {
    text += `${text === "" ? "" : ", "}${name};dur=${(at - from).toFixed(1)}`;
    from = at;
  }
  return text;
}

/** Adds the request's trace headers, which show how far it got, to a refusal. */
export function withTraceHeaders(error: unknown, trace: RequestTrace): unknown {
  if (!(error instanceof Refusal)) return error;
  const headers = { ...traceHeaders(trace), ...error.options.headers };
  return new Refusal(error.code, error.errors, { ...error.options, headers });
}
