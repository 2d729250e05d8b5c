import { type ErrorFields, errorFields } from "@manifold-gateway/store";
import type { Registry } from "prom-client";

/** A metric in the registry's form. */
interface Family {
  name: string;
  help: string;
  type: string;
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}
type Labels = Family["values"][number]["labels"];

const CUMULATIVE = 2;

/** Converts a registry's metrics to an OTLP/HTTP request in JSON. Times are milliseconds since the epoch. */
export function toOtlp(families: readonly object[], service: string, since: number, at: number): object {
  const times = { startTimeUnixNano: nanoseconds(since), timeUnixNano: nanoseconds(at) };
  const metrics = (families as readonly Family[]).flatMap((family) => {
    const data = dataOf(family, times);
    return data ? [{ name: family.name, description: family.help, ...data }] : [];
  });
  const resource = { attributes: attributesOf({ "service.name": service }) };
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: "manifold" }, metrics }] }] };
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const attributesOf = (labels: Labels) =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: String(value) } }));

function dataOf({ type, values }: Family, times: object): object | undefined {
  const dataPoints = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ attributes: attributesOf(labels), ...times, asDouble: value }));
  if (type === "counter")
    return { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } };
  if (type === "gauge") return { gauge: { dataPoints } };
  if (type !== "histogram") return undefined;
  return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints: histogramPoints(values, times) } };
}

/** Groups a histogram's samples by their labels: one for each bucket, and two for the sum and the count. */
function histogramPoints(values: Family["values"], times: object): object[] {
  const points = new Map<string, { labels: Labels; sum: number; upTo: [bound: number, count: number][] }>();
  for (const {
    value,
    labels: { le, ...labels },
    metricName = "",
  } of values) {
    const key = JSON.stringify(labels);
    const point = points.get(key) ?? { labels, sum: 0, upTo: [] };
    points.set(key, point);
    if (le !== undefined) point.upTo.push([le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (metricName.endsWith("_sum")) point.sum = value;
  }
  return [...points.values()].map(({ labels, sum, upTo }) => ({
    attributes: attributesOf(labels),
    ...times,
    count: String(upTo.at(-1)?.[1] ?? 0),
    sum,
    // The registry's counts are cumulative, the protocol's are per bucket.
    bucketCounts: upTo.map(([, count], i) => String(count - (upTo[i - 1]?.[1] ?? 0))),
    explicitBounds: upTo.map(([bound]) => bound).filter(Number.isFinite),
  }));
}

/** The place and form of a push. */
export interface PushTerms {
  endpoint: string;
  headers: Record<string, string>;
  service: string;
  /** Milliseconds between two pushes. */
  interval: number;
}

/**
 * Sends the metrics of a registry at intervals, and once more at the end. It adds no work to requests: the counters are
 * those that Prometheus reads. `failed` is called with the first of several failures in a row.
 */
export function pushMetrics(
  registry: Pick<Registry, "getMetricsAsJSON">,
  { endpoint, headers, service, interval }: PushTerms,
  failed: (fault: ErrorFields) => void,
): { close(): Promise<void> } {
  const since = Date.now();
  let failing = false;
  const push = async (): Promise<void> => {
    let fault: ErrorFields | undefined;
    try {
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(toOtlp(await registry.getMetricsAsJSON(), service, since, Date.now())),
        signal: AbortSignal.timeout(10_000),
      });
      await response.arrayBuffer();
      if (!response.ok) fault = { error: `status ${response.status}` };
    } catch (error) {
      fault = errorFields(error);
    }
    if (fault !== undefined && !failing) failed(fault);
    failing = fault !== undefined;
  };
  const timer = setInterval(() => void push(), interval);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      return push();
    },
  };
}
