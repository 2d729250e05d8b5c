import { traceObserver } from "@manifold-gateway/gateway";
import { createTransport, type Transport } from "@manifold-gateway/providers";
import { propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { names } from "../../../packages/gateway/src/observe/names.ts";
import { CHAT } from "../../support/text.ts";
import { translated, withHarness } from "./stand.ts";

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

describe("traces", () => {
  it("without a tracing SDK a request only checks that there is none", () => {
    const request = { id: "r", surface: "s", method: "GET", route: "/r", header: () => undefined };
    expect(traceObserver().started(request)).toBeUndefined();
  });

  it("traces use the names of the semantic conventions, and mark all others as their own", () => {
    const known = new Set<unknown>(Object.values(conventions));
    for (const name of Object.values(names))
      expect(known.has(name) || name.startsWith("manifold.")).toBe(true);
  });
});

describe("traces with an SDK", () => {
  beforeEach(() => {
    exporter.reset();
    trace.setGlobalTracerProvider(provider);
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterAll(() => {
    trace.disable();
    propagation.disable();
  });

  it.each([false, true])(
    "a request and its call are two spans of the caller's trace, streamed: %s",
    async (stream) => {
      await withHarness({ observer: traceObserver() }, async (h) => {
        const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
        await (await h.call(CHAT, { ...translated, stream }, { headers })).text();
        await h.settled();
      });
      const spans = exporter.getFinishedSpans();
      const server = spans.find(({ kind }) => kind === SpanKind.SERVER)!;
      const client = spans.find(({ kind }) => kind === SpanKind.CLIENT)!;
      expect(spans.length).toBe(2);
      expect([server.name, client.name]).toEqual([`POST ${CHAT}`, "chat sim-msgstyle"]);
      expect(server.spanContext().traceId).toBe(TRACE);
      expect(server.parentSpanContext?.spanId).toBe(PARENT);
      expect(client.parentSpanContext?.spanId).toBe(server.spanContext().spanId);
      expect(server.attributes).toMatchObject({
        "http.response.status_code": 200,
        "manifold.outcome": "succeeded",
        "manifold.model": "sim-msgstyle",
      });
      expect(client.attributes).toMatchObject({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "msgstyle",
        "gen_ai.request.model": "sim-msgstyle",
        "gen_ai.request.stream": stream,
        "http.response.status_code": 200,
      });
      expect(client.attributes["gen_ai.usage.output_tokens"]).toBeGreaterThan(0);
      expect(client.attributes["gen_ai.usage.input_tokens"]).toBeGreaterThan(0);
    },
  );

  it("providers are sent trace headers only where that is wanted", async () => {
    const real = createTransport();
    const sent: (string | undefined)[] = [];
    const transport: Transport = {
      send(request) {
        sent.push(request.headers.traceparent);
        return real.send(request);
      },
      close: () => real.close(),
    };
    const observer = traceObserver({ propagateTo: new Set(["msgstyle"]) });
    await withHarness({ observer, transport }, async (h) => {
      const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
      await h.call(CHAT, translated, { headers });
      await h.call(CHAT, { ...translated, model: "sim-chatstyle" }, { headers });
    });
    const [client] = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(sent).toEqual([`00-${TRACE}-${client!.spanContext().spanId}-01`, undefined]);
  });

  it("a failing call is a failed span, and every span ends", async () => {
    await withHarness({ observer: traceObserver() }, async (h) => {
      const messages = [{ role: "user", content: "[[fault:status=500]] x" }];
      await (await h.call(CHAT, { model: "sim-chatstyle", messages })).text();
    });
    const spans = exporter.getFinishedSpans();
    const client = spans.find(({ kind }) => kind === SpanKind.CLIENT)!;
    expect(client.attributes["error.type"]).toBe("500");
    expect(client.status.code).toBe(SpanStatusCode.ERROR);
    expect(spans.some(({ kind }) => kind === SpanKind.SERVER)).toBe(true);
  });
});
