import type { Transport, UpstreamRequest, UpstreamResponse } from "@manifold-gateway/providers";

/** A clock that moves only when it is advanced, and never back. */
export interface VirtualClock {
  /** Milliseconds since the epoch. */
  now(): number;
  to(moment: number): void;
  pass(ms: number): void;
}

export function createVirtualClock(start: number): VirtualClock {
  let time = start;
  return {
    now: () => time,
    to: (moment) => {
      time = Math.max(time, moment);
    },
    pass: (ms) => {
      time += ms;
    },
  };
}

/** The provider that is slower than another one of the same model, and how much. */
const SLOW = { path: "/responses", factor: 3 };

/** A provider's latency. It is derived from the request, so that it is the same each time. */
function latencyOf({ method, path, body }: UpstreamRequest): number {
  if (method !== "POST") return 40;
  const size = body?.length ?? 0;
  const factor = path.endsWith(SLOW.path) ? SLOW.factor : 1;
  return factor * (240 + path.length * 9 + ((size * 131) % 1_900)) + (size % 29 === 0 ? 4_200 : 0);
}

/** The bytes of a stream per millisecond: about sixty tokens a second. */
const BYTES = 12;

/** Paces a stream: the clock advances for the bytes that arrived before more are read. */
function pace({ headers, body }: UpstreamResponse, clock: VirtualClock): void {
  if (!String(headers["content-type"]).startsWith("text/event-stream")) return;
  const take = body.take.bind(body);
  let received = 0;
  body.take = () => {
    const passed = Math.floor(received / BYTES);
    clock.pass(passed);
    received -= passed * BYTES;
    const bytes = take();
    received += bytes?.length ?? 0;
    return bytes;
  };
}

/** A transport whose calls take time on the virtual clock. */
export const withLatency = (transport: Transport, clock: VirtualClock): Transport => ({
  close: () => transport.close(),
  async send(request) {
    try {
      const response = await transport.send(request);
      pace(response, clock);
      return response;
    } finally {
      clock.pass(latencyOf(request));
    }
  },
});
