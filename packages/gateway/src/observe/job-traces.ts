import { toUsd } from "@manifold-gateway/store";
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { JobWatch, ObservedJob, SettledJob } from "../ports/observer.ts";
import { names } from "./names.ts";
import { beginCall, fail } from "./spans.ts";

/** The number of jobs whose first span is remembered. A forgotten job begins another trace. */
const REMEMBERED = 10_000;

/** What this process knows of a job: the request that ordered it, and the span of its first step here. */
interface Beginning {
  request?: SpanContext;
  first?: Context;
}

/**
 * Traces jobs, with one trace for each job and process. Its root is the span of the job's first step, linked to the
 * request if that came to the same process. Later steps and calls to providers are children of it.
 */
export function traceJobs(tracer: Tracer, propagateTo: ReadonlySet<string>) {
  const beginnings = new Map<string, Beginning>();
  const remember = (id: string, more: Beginning): void => {
    const known = beginnings.get(id);
    beginnings.set(id, { ...known, ...more });
    const [oldest] = beginnings.keys();
    if (beginnings.size > REMEMBERED && oldest !== undefined) beginnings.delete(oldest);
  };
  return {
    ordered: (id: string, request: SpanContext): void => remember(id, { request }),
    stepped(job: ObservedJob): JobWatch | undefined {
      const { request, first = ROOT_CONTEXT } = beginnings.get(job.id) ?? {};
      const links = request && first === ROOT_CONTEXT ? [{ context: request }] : [];
      const span = tracer.startSpan(
        `${job.kind} job`,
        { kind: SpanKind.INTERNAL, attributes: attributesOf(job), links },
        first,
      );
      const inside = trace.setSpan(ROOT_CONTEXT, span);
      // The first step decides whether the job's trace is recorded.
      if (first === ROOT_CONTEXT && isSpanContextValid(span.spanContext()))
        remember(job.id, { first: inside });
      if (!span.isRecording()) {
        span.end();
        return undefined;
      }
      return {
        attempt(attempt) {
          const { span: call, watch } = beginCall(tracer, inside, attempt, propagateTo);
          return {
            ...watch,
            answered(status) {
              watch.answered?.(status);
              call.end();
            },
          };
        },
        settled(end) {
          beginnings.delete(job.id);
          span.setAttributes(endOf(end));
          if (end.status === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
        },
        ended(fault) {
          if (fault === undefined) span.end();
          else fail(span, fault);
        },
      };
    },
  };
}

const attributesOf = ({ id, kind, model, phase, modality, entry }: ObservedJob): Attributes => ({
  [names.kind]: kind,
  [names.phase]: phase,
  [modality ? names.generation : names.asset]: id,
  ...(model !== "" && { [names.requestedModel]: model }),
  ...(entry && { [names.provider]: entry.provider, [names.model]: entry.name }),
});

const endOf = ({ status, cost, error, orphan }: SettledJob): Attributes => ({
  [names.outcome]: status,
  [names.cost]: toUsd(cost),
  [names.orphan]: orphan,
  ...(error !== undefined && { [names.error]: error }),
});
