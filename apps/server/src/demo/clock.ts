import type { Transport, UpstreamRequest } from "@manifold-gateway/providers";

/** A clock that goes on when it is told to, and never back. */
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

/** The time that a provider takes for an answer: it follows from the request, so that it is the same each time. */
function latencyOf({ method, path, body }: UpstreamRequest): number {
  if (method !== "POST") return 40;
  const size = body?.length ?? 0;
  return 240 + path.length * 9 + ((size * 131) % 1_900) + (size % 29 === 0 ? 4_200 : 0);
}

/** Providers at which each call takes its time by the virtual clock. */
export const withLatency = (transport: Transport, clock: VirtualClock): Transport => ({
  close: () => transport.close(),
  send: (request) =>
    transport.send(request).finally(() => {
      clock.pass(latencyOf(request));
    }),
});
