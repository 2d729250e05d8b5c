import { inZone, shownMoment } from "../state/zone.ts";
import { type Bucket, label } from "./time.ts";

/** A bucket as it is shown: hours in the chosen zone; days, weeks and months are those of UTC. */
export const shownLabel = (at: string, bucket: Bucket): string =>
  bucket === "hour" ? shownMoment(at).slice(0, 16) : label(at, bucket);

/** What buckets are called, with their zone. */
export function headOf(bucket: Bucket): string {
  const name = `${bucket[0]?.toUpperCase()}${bucket.slice(1)}`;
  return bucket === "hour" ? inZone(name) : `${name} (UTC)`;
}
