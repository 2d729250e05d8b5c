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
          .describe("The collector's URL for OTLP over HTTP, in JSON."),
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
      .describe("Sends the same metrics to an OpenTelemetry collector."),
  })
  .describe(
    "Counts and durations in the format of Prometheus: at /metrics for the operator, and with a port also at that address, without a credential.",
  );

const traces = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .default("http://127.0.0.1:4318/v1/traces")
      .describe("The collector's URL for OTLP over HTTP."),
    headers: z.record(z.string().toLowerCase(), z.string()).default({}),
    service: z.string().min(1).default("manifold"),
    propagateTo: z
      .array(z.string())
      .default([])
      .describe("Providers that receive the trace's id. Default: none."),
    sample: z.number().min(0).max(1).default(1).describe("The share of traces that are kept."),
    follow: z
      .boolean()
      .default(false)
      .describe(
        "True to let the decision in a caller's traceparent take precedence over the share: only if all callers are yours.",
      ),
  })
  .describe("Traces by OpenTelemetry.");

/** Metrics and traces. Absent parts cost nothing. */
export const telemetry = z
  .strictObject({ metrics: metrics.optional(), traces: traces.optional() })
  .prefault({});

export type Telemetry = z.output<typeof telemetry>;
