import { type ObservedJob, type SettledJob, traceObserver } from "@manifold-gateway/gateway";
import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMeter } from "../../../apps/server/src/telemetry/metrics.ts";
import type { JobWatch } from "../../../packages/gateway/src/ports/observer.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";
import { valuesOf } from "./stand.ts";

const content = [{ type: "text", text: "A lighthouse." }];
const VIDEO = "/api/v1/video/generations";
const IMAGE = "/api/v1/image/generations/async";

/** Works through one video, one image, and one image that its provider refuses; answers their ids. */
async function work(h: Stage): Promise<{ video: string; image: string; refused: string }> {
  const one = async (path: string, body: object, id: string) =>
    (await h.json(path, { content, ...body }, path === IMAGE ? 202 : 200))[id] as string;
  const video = await one(VIDEO, { model: "video", duration: 5, resolution: "720p" }, "generationId");
  const image = await one(IMAGE, { model: "image", size: "1024x1024" }, "generationId");
  const refused = await one(
    IMAGE,
    { model: "image", content: [{ type: "text", text: "[[fault:status=400]] x" }] },
    "generationId",
  );
  const ended = ({ status }: { status: string }) => ["succeeded", "completed", "failed"].includes(status);
  await h.until(`/api/v1/video/tasks/${video}`, ended);
  for (const id of [image, refused]) await h.until(`/api/v1/image/generations/async/${id}`, ended);
  return { video, image, refused };
}

describe("observed media jobs", () => {
  it("an observer hears of every step of a media job, its calls and its end", async () => {
    const steps: { job: ObservedJob; notes: string[]; ends: SettledJob[] }[] = [];
    const observer = {
      started: () => undefined,
      stepped(job: ObservedJob): JobWatch {
        const step = { job, notes: [] as string[], ends: [] as SettledJob[] };
        steps.push(step);
        return {
          attempt: ({ operation, provider, name, protocol }) => {
            const call = `${operation} ${provider} ${name} ${protocol}`;
            return { answered: (status) => void step.notes.push(`${call} ${status}`) };
          },
          settled: (end) => void step.ends.push(end),
          ended: (fault) => void step.notes.push(fault ?? "ended"),
        };
      },
    };
    const h = await startMediaStage({ observer });
    try {
      const { video, image, refused } = await work(h);
      await h.gateway.drain();
      const of = (id: string) => steps.filter(({ job }) => job.id === id);
      const name = "dreamina-seedance-2-0-260128";
      const call = (operation: string, status: number) =>
        `${operation} mediastyle ${name} mediastyle ${status}`;
      const [first, ...rest] = of(video);
      expect(first).toMatchObject({
        job: { kind: "video", modality: "video", model: "video", phase: "unsent" },
        notes: [call("submit", 200), "ended"],
        ends: [],
      });
      expect(first!.job.entry).toEqual({
        id: expect.stringMatching(/^e\w{10}$/),
        provider: "mediastyle",
        name,
      });
      for (const { job, notes } of rest)
        expect([job.phase, notes]).toEqual(["accepted", [call("poll", 200), "ended"]]);
      const { balance } = await h.balance();
      const ends = steps.flatMap((step) => step.ends);
      expect(ends.length).toBe(3);
      expect(ends.reduce((sum, { cost }) => sum + cost, 0)).toBe(1e12 - balance);
      expect(of(video).at(-1)!.ends).toMatchObject([{ status: "succeeded", orphan: false }]);
      expect(of(image).at(-1)!.ends).toMatchObject([{ status: "succeeded", orphan: false }]);
      expect(of(refused).at(-1)!.ends).toMatchObject([{ status: "failed", cost: 0, error: "refused" }]);
      for (const { notes } of steps) expect(notes.filter((note) => note === "ended").length).toBe(1);
    } finally {
      await h.close();
    }
  });

  it("media jobs are in the metrics, the live ones with their number and age", async () => {
    const meter = createMeter();
    const h = await startMediaStage({ observer: meter.observer });
    try {
      meter.watch(h.gateway, h.store);
      await work(h);
      await h.json(VIDEO, { model: "video", content: [{ type: "text", text: "[[outcome:queued=1000]] x" }] });
      const cut = { model: "image-chat", content: [{ type: "text", text: "[[fault:cut=0]] x" }] };
      const { generationId } = await h.json(IMAGE, cut, 202);
      await h.until(`/api/v1/image/generations/async/${generationId}`, ({ status }) => status === "failed");
      await h.gateway.drain();
      const at = Date.now();
      const lasting = {
        id: "asset-1",
        kind: "asset",
        accountId: "acc",
        model: "",
        deadline: at * 2,
      } as const;
      await h.store.jobs.create({ ...lasting, at: at - 5_000 }, { most: 5 });
      const { text } = await meter.text();
      const generations = Object.entries(valuesOf(text, "manifold_generations_total"));
      const ended = (words: string) =>
        generations.filter(([labels]) => labels.includes(words)).reduce((sum, [, count]) => sum + count, 0);
      expect(ended('modality="image",status="succeeded"')).toBe(1);
      expect(ended('modality="image",status="failed"')).toBe(2);
      expect(ended('modality="video",status="succeeded"')).toBeGreaterThanOrEqual(1);
      const costs = Object.values(valuesOf(text, "manifold_cost_usd_total")).reduce((a, b) => a + b, 0);
      expect(costs).toBeCloseTo((1e12 - (await h.balance()).balance) / 1e6, 6);
      const calls = valuesOf(text, "manifold_attempts_total");
      expect(calls['provider="mediastyle",operation="submit",outcome="400"']).toBe(1);
      expect(calls['provider="mediastyle",operation="poll",outcome="200"']).toBeGreaterThan(0);
      expect(new Set(Object.values(valuesOf(text, "manifold_attempts_in_flight")))).toEqual(new Set([0]));
      expect(valuesOf(text, "manifold_job_seconds_count")).toMatchObject({
        'kind="image",provider="mediastyle",status="succeeded"': 1,
        'kind="image",provider="mediastyle",status="failed"': 1,
      });
      expect(valuesOf(text, "manifold_jobs_orphaned_total")).toEqual({
        'kind="image",provider="chatstyle"': 1,
      });
      expect(valuesOf(text, "manifold_jobs_live")['kind="asset",state="queued"']).toBe(1);
      expect(
        valuesOf(text, "manifold_jobs_oldest_seconds")['kind="asset",state="queued"'],
      ).toBeGreaterThanOrEqual(5);
    } finally {
      await h.close();
    }
  });
});

describe("traced media jobs", () => {
  const exporter = new InMemorySpanExporter();
  beforeEach(() => {
    exporter.reset();
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    );
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterEach(() => {
    trace.disable();
    propagation.disable();
    context.disable();
  });

  it("media jobs have one trace each, linked to the request that ordered them", async () => {
    const h = await startMediaStage({ observer: traceObserver() });
    let ids: Awaited<ReturnType<typeof work>>;
    try {
      ids = await work(h);
      await h.gateway.drain();
    } finally {
      await h.close();
    }
    const spans = exporter.getFinishedSpans();
    for (const id of Object.values(ids)) {
      const about = spans.filter(({ attributes }) => attributes["manifold.generation.id"] === id);
      const requests = about.filter(({ kind }) => kind === SpanKind.SERVER);
      const steps = about.filter(({ kind }) => kind === SpanKind.INTERNAL);
      expect(requests.length).toBe(1);
      const first = steps.find(({ parentSpanContext }) => !parentSpanContext) as ReadableSpan;
      const traceId = first.spanContext().traceId;
      expect(first.links.map(({ context: linked }) => linked.spanId)).toEqual([
        requests[0]!.spanContext().spanId,
      ]);
      expect(traceId).not.toBe(requests[0]!.spanContext().traceId);
      for (const step of steps) {
        expect(step.spanContext().traceId).toBe(traceId);
        if (step !== first) expect(step.parentSpanContext?.spanId).toBe(first.spanContext().spanId);
      }
      const outcomes = steps.flatMap(({ attributes }) => attributes["manifold.outcome"] ?? []);
      expect(outcomes).toEqual([id === ids.refused ? "failed" : "succeeded"]);
      const calls = spans.filter(
        (span) => span.kind === SpanKind.CLIENT && span.spanContext().traceId === traceId,
      );
      expect(calls.length).toBeGreaterThan(0);
      const parents = new Set(steps.map((step) => step.spanContext().spanId));
      for (const call of calls) expect(parents).toContain(call.parentSpanContext?.spanId);
    }
  });
});
