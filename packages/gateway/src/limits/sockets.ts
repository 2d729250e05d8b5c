import { Refusal } from "../http/refusal.ts";
import type { Sockets } from "../ports/bounds.ts";
import { createPlaces } from "./slots.ts";

/** Counts open sockets, at most `most` for each key, and closes them at a stop. */
export function createSockets(most: number): Sockets {
  const closers = new Set<() => void>();
  return {
    take: createPlaces(
      most,
      (_, count) =>
        new Refusal(
          "too_many_sockets",
          `This API key has ${count} open WebSockets, which is the limit. Close one first.`,
          { headers: { "retry-after": "1" } },
        ),
    ),
    onStop(close) {
      closers.add(close);
      return () => void closers.delete(close);
    },
    stop() {
      for (const close of [...closers]) close();
    },
  };
}
