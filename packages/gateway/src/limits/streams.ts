import { Refusal } from "../http/refusal.ts";
import type { Streams } from "../ports/bounds.ts";
import { createPlaces } from "./slots.ts";

/** Limits a key to `most` streams. The sessions of one account share a limit. */
export function createStreams(most: number): Streams {
  const take = createPlaces(
    most,
    ({ keyId }, count) =>
      new Refusal(
        "too_many_streams",
        `${keyId === undefined ? "This account" : "This API key"} has ${count} open streams, which is the limit. Try again when one has ended.`,
        { headers: { "retry-after": "1" } },
      ),
  );
  return {
    async run(caller, work) {
      const leave = take(caller);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
