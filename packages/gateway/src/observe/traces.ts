import { toUsd } from "@manifold-gateway/store";
import {
  type Attributes,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { z } from "zod";
import { checkOptions } from "../check-options.ts";
import type { ObservedRequest, Observer, Settled } from "../ports/observer.ts";
import { traceJobs } from "./job-traces.ts";
import { names } from "./names.ts";
import { beginCall } from "./spans.ts";

/** Settings of `traceObserver`. */
export interface TraceOptions {
  /** Ids of the providers that receive the trace's headers. Default: none. */
  propagateTo?: ReadonlySet<string>;
}

/** The headers that carry a trace. */
const CARRIER = ["traceparent", "tracestate"];

const rules = z.strictObject({
  propagateTo: z.custom((value) => value instanceof Set, "must be a Set of ids of providers").optional(),
});

/**
 * Traces requests with OpenTelemetry: a span for each request, with a child for each call to a provider. Jobs have
 * traces of their own. The process has to set up an SDK; without one, the spans are discarded. Throws a
 * `TypeError` that names the settings that are wrong.
 */
export function traceObserver(options: TraceOptions = {}): Observer {
  checkOptions("traceObserver", rules, options);
  const { propagateTo = new Set() } = options;
  const tracer = trace.getTracer("@manifold-gateway/gateway");
  const jobs = traceJobs(tracer, propagateTo);
  return {
    stepped: jobs.stepped,
    started(request) {
      const span = tracer.startSpan(
        `${request.method} ${request.route}`,
        {
          kind: SpanKind.SERVER,
          attributes: {
            [names.method]: request.method,
            [names.route]: request.route,
            [names.requestId]: request.id,
            [names.surface]: request.surface,
          },
        },
        callerOf(request),
      );
      if (!span.isRecording()) {
        span.end();
        return undefined;
      }
      const inside = trace.setSpan(ROOT_CONTEXT, span);
      const began = performance.now();
      let call: Span | undefined;
      return {
        attempt(attempt) {
          const begun = beginCall(tracer, inside, attempt, propagateTo);
          call = begun.span;
          return begun.watch;
        },
        ordered(id) {
          span.setAttribute(names.generation, id);
          jobs.ordered(id, span.spanContext());
        },
        firstByte() {
          call?.setAttribute(names.firstChunk, (performance.now() - began) / 1000);
        },
        settled(generation) {
          span.setAttributes(generationOf(generation));
          call?.setAttributes(usageOf(generation));
          if (generation.status === "failed") call?.setStatus({ code: SpanStatusCode.ERROR });
          call?.end();
          call = undefined;
        },
        ended(status) {
          call?.end();
          span.setAttribute(names.status, status);
          if (status >= 500 || status === 0) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}

/** The trace of the caller, if the request has one. */
const callerOf = ({ header }: ObservedRequest): Context =>
  propagation.extract(ROOT_CONTEXT, undefined, {
    keys: () => CARRIER,
    get: (_, name) => header(name),
  });

const generationOf = ({ id, cost, model, status, route }: Settled): Attributes => ({
  [names.generation]: id,
  [names.cost]: toUsd(cost),
  [names.requestedModel]: model,
  [names.outcome]: status,
  [names.losses]: lossesOf(route),
});

const usageOf = ({ usage }: Settled): Attributes =>
  usage
    ? {
        [names.input]: usage.input,
        [names.output]: usage.output,
        ...(usage.cacheRead !== undefined && { [names.cacheRead]: usage.cacheRead }),
        ...(usage.reasoning !== undefined && { [names.reasoning]: usage.reasoning }),
      }
    : {};

/** The number of losses in a generation's route. */
const lossesOf = (route: Settled["route"]): number =>
  ["losses", "replyLosses"].reduce((sum, side) => {
    const list = (route as Record<string, unknown>)[side];
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
