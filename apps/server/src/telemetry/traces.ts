import { type Observer, traceObserver } from "@manifold-gateway/gateway";
import { type ErrorFields, errorFields } from "@manifold-gateway/store";
import { context, propagation, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Telemetry } from "../config/telemetry.ts";

type TraceSettings = NonNullable<Telemetry["traces"]>;

/** The export of traces to a collector. */
export interface Traces {
  observer: Observer;
  /** Sends the remaining traces, and ends. */
  close(): Promise<void>;
}

/**
 * Samples traces that begin here by their ids, and traces of callers at random, because callers choose their ids and
 * sampling flags. If `follow` is set, the caller's sampling flag decides.
 */
export function createSampler({ sample, follow }: Pick<TraceSettings, "sample" | "follow">): Sampler {
  const root = new TraceIdRatioBasedSampler(sample);
  if (follow) return new ParentBasedSampler({ root });
  const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision;
  const lot: Sampler = {
    shouldSample: () => ({ decision: Math.random() < sample ? RECORD_AND_SAMPLED : NOT_RECORD }),
    toString: () => `Lot{${sample}}`,
  };
  return new ParentBasedSampler({ root, remoteParentSampled: lot, remoteParentNotSampled: lot });
}

/** Calls `failed` when spans cannot be sent, once until some are. */
function reportFailures(exporter: OTLPTraceExporter, failed: (fault: ErrorFields) => void): void {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (spans, done) =>
    send(spans, (sent) => {
      const { error } = sent;
      if (error && !isFailing) failed(errorFields(error));
      isFailing = error !== undefined;
      done(sent);
    });
}

/** Sets up the SDK for this process. `failed` gets the fault of a collector that takes no spans; nothing else fails. */
export function startTraces(options: TraceSettings, failed: (fault: ErrorFields) => void): Traces {
  const exporter = new OTLPTraceExporter({ url: options.endpoint, headers: options.headers });
  reportFailures(exporter, failed);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": options.service }),
    sampler: createSampler(options),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    observer: traceObserver({ propagateTo: new Set(options.propagateTo) }),
    async close() {
      // It rejects for spans that could not be sent, which has been reported.
      await provider.shutdown().catch(() => {});
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}
