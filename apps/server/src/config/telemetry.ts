import { z } from "zod";

const metrics = z
  .strictObject({
    host: z.string().default("127.0.0.1"),
    port: z.int().min(0).max(65_535).optional(),
    push: z
      .strictObject({
        endpoint: z
          .url({ protocol: /^https?$/ })
          .default("http://127.0.0.1:4318/v1/metrics")
          .describe("Takes OTLP over HTTP, in JSON."),
        headers: z.record(z.string().toLowerCase(), z.string()).default({}),
        service: z.string().min(1).default("manifold"),
        interval: z
          .int()
          .min(1_000)
          .max(3_600_000)
          .default(60_000)
          .describe("Milliseconds between two pushes."),
      })
      .optional()
      .describe("Sends the same metrics to a collector of OpenTelemetry."),
  })
  .describe(
    "Counts and durations, as Prometheus reads them: at /metrics for the operator, and with a port also at that address for every client that reaches it.",
  );

const traces = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .default("http://127.0.0.1:4318/v1/traces")
      .describe("Takes OTLP over HTTP."),
    headers: z.record(z.string().toLowerCase(), z.string()).default({}),
    service: z.string().min(1).default("manifold"),
    propagateTo: z
      .array(z.string())
      .default([])
      .describe("Providers that are sent the trace's id. Default: none."),
    sample: z.number().min(0).max(1).default(1).describe("The share of traces that are kept."),
    follow: z
      .boolean()
      .default(false)
      .describe(
        "True to let the decision in a caller's traceparent go before the share: only where callers are yours.",
      ),
  })
  .describe("Traces by OpenTelemetry.");

/** Metrics and traces. Absent parts cost nothing. */
export const telemetry = z
  .strictObject({ metrics: metrics.optional(), traces: traces.optional() })
  .prefault({});

export type Telemetry = z.output<typeof telemetry>;
