import { type Bucket, endOf } from "./time.ts";

const FILTERS = ["model", "key", "modality", "status", "surface", "entry", "tag"];
const TAG = "tag:";

/** The requests behind a number: those of a bucket, a series, or both. */
export function toRequests(
  params: Record<string, string>,
  {
    from,
    to,
    at,
    bucket,
    by,
    name,
  }: Partial<Record<"from" | "to" | "at" | "by" | "name", string>> & { bucket: Bucket },
): string {
  const query = new URLSearchParams();
  for (const filter of FILTERS) if (params[filter]) query.set(filter, params[filter]);
  // Sessions have no key that could be asked for.
  if (by?.startsWith(TAG) && name) query.set("tag", `${by.slice(TAG.length)}:${name}`);
  else if (by && name) query.set(by, name);
  if (at !== undefined) {
    query.set("from", at);
    query.set("to", new Date(endOf(Date.parse(at), bucket)).toISOString());
  } else {
    if (from) query.set("from", from);
    if (to) query.set("to", to);
  }
  return `/console/requests?${query}`;
}
