import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Observer } from "@manifold-gateway/gateway";
import { expect, it } from "vitest";
import { createMeter, type Meter } from "../../../apps/server/src/telemetry/metrics.ts";
import { pushMetrics, toOtlp } from "../../../apps/server/src/telemetry/otlp.ts";

type ObservedRequest = Parameters<Observer["started"]>[0];

let clock = 0;

/** A meter that has seen requests of 0.5, 0.5, 2 and 900 seconds, and one that goes on. */
function filled(): Meter {
  const meter = createMeter({ process: "1" }, () => clock);
  for (const seconds of [0.5, 0.5, 2, 900]) {
    const watch = meter.observer.started({ surface: "s", method: "GET", route: "/a" } as ObservedRequest);
    clock += seconds * 1000;
    watch?.ended?.(200);
  }
  meter.observer.started({ surface: "s", method: "GET", route: "/a" } as ObservedRequest);
  return meter;
}

const attributes = (labels: Record<string, string>) =>
  Object.entries({ ...labels, process: "1" }).map(([key, value]) => ({ key, value: { stringValue: value } }));

interface Written {
  name: string;
  histogram: {
    dataPoints: { count: string; sum: number; bucketCounts: string[]; explicitBounds: number[] }[];
  };
}

it("metrics have the same values in OTLP as for Prometheus", async () => {
  const times = { startTimeUnixNano: "1000000000", timeUnixNano: "2000000000" };
  const families = await filled().registry.getMetricsAsJSON();
  const request = toOtlp(families, "mine", 1_000, 2_000) as {
    resourceMetrics: [{ resource: object; scopeMetrics: [{ metrics: Written[] }] }];
  };
  const [{ resource, scopeMetrics }] = request.resourceMetrics;
  expect(resource).toEqual({ attributes: [{ key: "service.name", value: { stringValue: "mine" } }] });
  const named = (name: string) =>
    scopeMetrics[0].metrics.find((metric) => metric.name === `manifold_${name}`);
  const labels = attributes({ surface: "s", method: "GET", route: "/a", status: "200" });
  expect(named("requests_total")).toEqual({
    name: "manifold_requests_total",
    description: "Requests by route and status.",
    sum: {
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: [{ attributes: labels, ...times, asDouble: 4 }],
    },
  });
  expect(named("requests_in_flight")).toMatchObject({
    gauge: { dataPoints: [{ attributes: attributes({ surface: "s" }), ...times, asDouble: 1 }] },
  });
  const [point] = named("request_duration_seconds")?.histogram.dataPoints ?? [];
  expect(point).toMatchObject({
    attributes: attributes({ surface: "s", route: "/a" }),
    count: "4",
    sum: 903,
  });
  const { bucketCounts = [], explicitBounds = [] } = point ?? {};
  expect(bucketCounts.length).toBe(explicitBounds.length + 1);
  const at = (bound: number) => bucketCounts[explicitBounds.indexOf(bound)];
  expect([at(0.25), at(0.5), at(1), at(2.5), bucketCounts.at(-1)]).toEqual(["0", "2", "0", "1", "1"]);
});

it("metrics are sent when the process stops, and the first of several failures is reported", async () => {
  const seen: { path: string | undefined; key: unknown; body: string }[] = [];
  let status = 200;
  const collector = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    seen.push({ path: request.url, key: request.headers["x-key"], body });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/metrics`;
  const faults: object[] = [];
  const terms = { endpoint, headers: { "x-key": "k" }, service: "mine", interval: 3_600_000 };
  const push = pushMetrics(filled().registry, terms, (fault) => faults.push(fault));
  await push.close();
  expect(seen).toEqual([
    { path: "/v1/metrics", key: "k", body: expect.stringContaining('"manifold_requests_total"') as string },
  ]);
  status = 503;
  await push.close();
  await push.close();
  expect(faults).toEqual([{ error: "status 503" }]);
  status = 200;
  await push.close();
  await new Promise((resolve) => collector.close(resolve));
  await push.close();
  expect(faults).toEqual([{ error: "status 503" }, expect.objectContaining({ code: expect.any(String) })]);
});
