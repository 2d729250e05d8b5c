import { type Bucket, endOf } from "./time.ts";

/** The places of the buckets of which a range has a part only: its first and last ones, and the one that goes on. */
export const partialOf = (
  times: readonly string[],
  bucket: Bucket,
  { from, to }: { from: string; to: string },
  now = Date.now(),
): number[] =>
  times.flatMap((time, at) => {
    const start = Date.parse(time);
    const isWhole = start >= Date.parse(from) && endOf(start, bucket) <= Math.min(Date.parse(to), now);
    return isWhole ? [] : [at];
  });
