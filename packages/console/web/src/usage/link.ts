import { filtersOf } from "../state/url.ts";
import type { ALL, SeriesQuery } from "./series.ts";
import { type Bucket, endOf } from "./time.ts";

const FILTERS = ["model", "key", "modality", "status", "surface", "entry", "tag"] as const;
const TAG = "tag:";

/** What the sums of a screen with these parameters are narrowed to. */
export const filtersIn = (params: Record<string, string>): SeriesQuery =>
  filtersOf<typeof ALL>(params, ["account", ...FILTERS]);

/** What a figure is of: a bucket, a range, a series, or a series in a bucket. */
interface Figure {
  from?: string;
  to?: string;
  /** The beginning of a bucket. */
  at?: string;
  bucket: Bucket;
  by?: string | undefined;
  name?: string | undefined;
}

/** Where the figures of a screen with these parameters lead; nowhere where there is nothing more to see. */
export type Lead = (params: Record<string, string>, figure: Figure) => string | undefined;

/** The requests behind a figure. */
export function toRequests(params: Record<string, string>, figure: Figure): string {
  const { from, to, at, bucket, by, name } = figure;
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

/** All usage, narrowed to what a figure is of: its series, and its time unless that is an hour already. */
export const toNarrower: Lead = (params, { at, bucket, by, name }) => {
  const query = new URLSearchParams(params);
  if (by?.startsWith(TAG) && name) query.set("tag", `${by.slice(TAG.length)}:${name}`);
  else if (by && name) query.set(by, name);
  if (by && name) query.delete("by");
  if (at !== undefined && bucket !== "hour") {
    query.set("from", at);
    query.set("to", new Date(endOf(Date.parse(at), bucket)).toISOString());
    query.delete("days");
    query.delete("bucket");
  }
  return query.toString() === new URLSearchParams(params).toString()
    ? undefined
    : `/console/all-usage?${query}`;
};
