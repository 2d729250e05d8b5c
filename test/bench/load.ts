import { setTimeout } from "node:timers/promises";
import { Agent } from "undici";

/** A target of the load: where, and what is asked of it. */
export interface Load {
  origin: string;
  path: string;
  body: string;
  /** Beside the content type; called for each request. */
  headers?(): Record<string, string>;
}

/** While another server is asked, this one's connections go idle: they are given up before it gives them up. */
const IDLE = 1_000;
const agent = new Agent({
  pipelining: 1,
  connections: 2_000,
  keepAliveTimeout: IDLE,
  keepAliveMaxTimeout: IDLE,
});

/** One request; resolves with its milliseconds at the end of the answer. Rejects for anything but a 200. */
export function once({ origin, path, body, headers = () => ({}) }: Load): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    agent.dispatch(
      { origin, path, method: "POST", headers: { "content-type": "application/json", ...headers() }, body },
      {
        onRequestStart() {},
        onResponseStart(controller, status) {
          if (status !== 200) {
            reject(new Error(`status ${status} from ${path}`));
            controller.abort(new Error("status"));
          }
        },
        onResponseData() {},
        onResponseEnd: () => resolve(performance.now() - began),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

/** When a load ends: after so many requests, or after a time in ms. */
export type Until = { count: number } | { ms: number };

/** Requests over `connections` at a time; how many there were, their rate in a second and every latency in ms. */
export async function flood(
  load: Load,
  until: Until,
  connections: number,
): Promise<{ count: number; rate: number; latencies: number[] }> {
  const latencies: number[] = [];
  let count = 0;
  const began = performance.now();
  const isOver = (): boolean =>
    "count" in until ? count >= until.count : performance.now() - began >= until.ms;
  const worker = async (): Promise<void> => {
    while (!isOver()) {
      count += 1;
      latencies.push(await once(load));
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { count, rate: (count * 1_000) / (performance.now() - began), latencies };
}

/** Requests at a steady rate for some seconds; latencies in ms. */
export async function steady(load: Load, perSecond: number, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; sent < due; sent++) running.push(once(load).then((ms) => void latencies.push(ms)));
    // Rests instead of turning: that would take one of the machine's cores from what is measured.
    await setTimeout(1);
  }
  await Promise.all(running);
  return latencies;
}

/** Opens streams that stay open; resolves when each has sent its first bytes. */
export async function open(load: Load, count: number): Promise<() => void> {
  const aborts: (() => void)[] = [];
  const holder = new Agent({ pipelining: 1, connections: count });
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve, reject) => {
          holder.dispatch(
            {
              origin: load.origin,
              path: load.path,
              method: "POST",
              headers: { "content-type": "application/json", ...load.headers?.() },
              body: load.body,
            },
            {
              onRequestStart: (controller) => void aborts.push(() => controller.abort(new Error("done"))),
              onResponseStart() {},
              onResponseData: () => resolve(),
              onResponseEnd() {},
              onResponseError: (_, error) => reject(error),
            },
          );
        }),
    ),
  );
  return () => {
    for (const abort of aborts) abort();
  };
}

export const quantile = (values: number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
export const median = (values: number[]): number => quantile(values, 0.5);
