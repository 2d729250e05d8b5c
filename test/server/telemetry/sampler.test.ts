import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { createSampler } from "../../../apps/server/src/telemetry/traces.ts";

const TRACE = "0".repeat(31).concat("1");
/** A caller's decision about his trace. */
const from = (traceFlags: TraceFlags) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: "1".repeat(16), traceFlags, isRemote: true });

describe("the sampling of traces", () => {
  it.each([
    [0, false, TraceFlags.SAMPLED, SamplingDecision.NOT_RECORD],
    [1, false, TraceFlags.NONE, SamplingDecision.RECORD_AND_SAMPLED],
    [0, true, TraceFlags.SAMPLED, SamplingDecision.RECORD_AND_SAMPLED],
    [1, true, TraceFlags.NONE, SamplingDecision.NOT_RECORD],
  ])("traces are sampled by share %s, follow %s, caller's flag %s", (sample, follow, flag, decision) => {
    const sampler = createSampler({ sample, follow });
    const found = sampler.shouldSample(from(flag), TRACE, "request", SpanKind.SERVER, {}, []);
    expect(found.decision).toBe(decision);
  });
});
