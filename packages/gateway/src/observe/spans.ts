import {
  type Attributes,
  type Context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { AttemptWatch, ObservedAttempt } from "../ports/observer.ts";
import { names } from "./names.ts";

/** Begins the span of a call to a provider. Providers in the set also receive the trace's headers. */
export function beginCall(
  tracer: Tracer,
  inside: Context,
  attempt: ObservedAttempt,
  propagateTo: ReadonlySet<string>,
): { span: Span; watch: AttemptWatch } {
  const span = tracer.startSpan(
    `${attempt.operation} ${attempt.name}`,
    { kind: SpanKind.CLIENT, attributes: attributesOf(attempt) },
    inside,
  );
  return {
    span,
    watch: {
      ...(propagateTo.has(attempt.provider) && { headers: headersOf(trace.setSpan(inside, span)) }),
      answered(status) {
        span.setAttribute(names.status, status);
        if (status >= 400) fail(span, String(status));
      },
      failed: (fault) => fail(span, fault),
    },
  };
}

function headersOf(inside: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(inside, headers);
  return headers;
}

/** Ends the span of a failure. Ending a span twice has no effect. */
export function fail(span: Span, why: string): void {
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
