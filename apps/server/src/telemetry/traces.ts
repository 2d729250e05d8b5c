import { type Observer, traceObserver } from "@manifold/gateway";
import { context, propagation, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { ATTR_SERVICE_NAME } from "@opentelemetry/semantic-conventions";
import type { Telemetry } from "../config/telemetry.ts";

/** Traces that are under way to where they are collected. */
export interface Traces {
  observer: Observer;
  /** Sends what is left, and ends. */
  close(): Promise<void>;
}

/** Sets up the SDK for this process. */
export function startTraces(options: NonNullable<Telemetry["traces"]>): Traces {
  const exporter = new OTLPTraceExporter({ url: options.endpoint, headers: options.headers });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ [ATTR_SERVICE_NAME]: options.service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sample) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    observer: traceObserver({ tell: new Set(options.propagateTo) }),
    async close() {
      await provider.shutdown();
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}
