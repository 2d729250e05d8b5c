import { toUsd } from "@manifold/store";
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
import { names } from "./names.ts";
import type { ObservedAttempt, ObservedRequest, Observer, Settled } from "./observer.ts";

export interface TraceOptions {
  /** Ids of the providers that are told the trace. Default: none. */
  tell?: ReadonlySet<string>;
}

/** The headers that a trace comes and goes by. */
const CARRIER = ["traceparent", "tracestate"];

/**
 * Traces by OpenTelemetry: a span for each request, and below it one for each call to a provider. It is up to the
 * process to set up an SDK; without one these are spans that go nowhere.
 */
export function traceObserver({ tell = new Set() }: TraceOptions = {}): Observer {
  const tracer = trace.getTracer("@manifold/gateway");
  return {
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
          const own = tracer.startSpan(
            `${attempt.operation} ${attempt.name}`,
            { kind: SpanKind.CLIENT, attributes: attributesOf(attempt) },
            inside,
          );
          call = own;
          return {
            ...(tell.has(attempt.provider) && { headers: headersOf(trace.setSpan(inside, own)) }),
            answered(status) {
              own.setAttribute(names.status, status);
              if (status >= 400) fail(own, String(status));
            },
            failed: (fault) => fail(own, fault),
          };
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

/** The trace that a caller is part of, where it says so. */
const callerOf = ({ header }: ObservedRequest): Context =>
  propagation.extract(ROOT_CONTEXT, undefined, {
    keys: () => CARRIER,
    get: (_, name) => header(name),
  });

function headersOf(inside: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(inside, headers);
  return headers;
}

/** An attempt that led to nothing. Ending a span twice does nothing. */
function fail(span: Span, why: string): void {
  span.setAttribute(names.error, why);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function attributesOf({ operation, provider, origin, name, protocol, stream }: ObservedAttempt): Attributes {
  const { hostname, port, protocol: scheme } = new URL(origin);
  return {
    [names.operation]: operation,
    [names.provider]: provider,
    [names.model]: name,
    [names.stream]: stream,
    [names.address]: hostname,
    [names.port]: Number(port || (scheme === "https:" ? 443 : 80)),
    [names.protocol]: protocol,
  };
}

const generationOf = ({ id, cost, model, status, route }: Settled): Attributes => ({
  [names.generation]: id,
  [names.cost]: toUsd(cost),
  [names.asked]: model,
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

/** How many losses a generation's route lists. */
const lossesOf = (route: Settled["route"]): number =>
  ["losses", "replyLosses"].reduce((sum, side) => {
    const list = (route as Record<string, unknown>)[side];
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
