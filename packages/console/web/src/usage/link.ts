import { filtersOf } from "../state/url.ts";
import type { ALL, SeriesQuery } from "./series.ts";
import { type Bucket, endOf } from "./time.ts";

const FILTERS = ["model", "key", "modality", "status", "surface", "entry", "tag"] as const;
/** Those that operators have. */
const ALL_FILTERS = ["account", "provider", ...FILTERS] as const;
const TAG = "tag:";

/** What the sums of a screen with these parameters are narrowed to. */
export const filtersIn = (params: Record<string, string>): SeriesQuery =>
  filtersOf<typeof ALL>(params, ALL_FILTERS);

/** What a figure is of: a range, a bucket of it, a series, or a series in a bucket. */
interface Figure {
  from?: string;
  to?: string;
  /** The beginning of a bucket. The figure is of the part of it that is in the range. */
  at?: string;
  bucket: Bucket;
  by?: string | undefined;
  name?: string | undefined;
}

/** Where the figures of a screen with these parameters lead. */
export type Lead = (params: Record<string, string>, figure: Figure) => string;

/** Narrows an address to a series. Sessions have no key that could be asked for. */
function narrow(query: URLSearchParams, { by, name }: Figure): void {
  if (by?.startsWith(TAG) && name) query.set("tag", `${by.slice(TAG.length)}:${name}`);
  else if (by && name) query.set(by, name);
}

/** When a figure begins and ends. */
function timeOf({ from, to, at, bucket }: Figure): [from?: string, to?: string] {
  if (at === undefined) return [from, to];
  const end = new Date(endOf(Date.parse(at), bucket)).toISOString();
  return [
    from !== undefined && Date.parse(from) > Date.parse(at) ? from : at,
    to !== undefined && Date.parse(to) < Date.parse(end) ? to : end,
  ];
}

/** The requests that a measure counts, where it does not count all. */
const COUNTED: Record<string, string> = { errors: "failed,refused", refused: "refused" };

function requestsOf(
  query: URLSearchParams,
  filters: readonly string[],
  params: Record<string, string>,
  figure: Figure,
): string {
  const [from, to] = timeOf(figure);
  const counted = COUNTED[params.measure ?? ""];
  if (counted) query.set("status", counted);
  for (const filter of filters) if (params[filter]) query.set(filter, params[filter]);
  narrow(query, figure);
  if (from) query.set("from", from);
  if (to) query.set("to", to);
  return `/console/requests?${query}`;
}

/** The requests behind a figure. */
export const toRequests: Lead = (params, figure) =>
  requestsOf(new URLSearchParams(), FILTERS, params, figure);

/** All usage, narrowed to what a figure is of: its series, and its time; what is as narrow as that leads to its requests. */
export const toNarrower: Lead = (params, figure) => {
  const { at, bucket, by, name } = figure;
  const query = new URLSearchParams(params);
  narrow(query, figure);
  if (by && name) query.delete("by");
  if (at !== undefined && bucket !== "hour") {
    const [from = at, to = at] = timeOf(figure);
    query.set("from", from);
    query.set("to", to);
    query.delete("days");
    query.delete("bucket");
  }
  return (bucket === "hour" && at !== undefined) ||
    query.toString() === new URLSearchParams(params).toString()
    ? requestsOf(new URLSearchParams({ of: "all" }), ALL_FILTERS, params, figure)
    : `/console/all-usage?${query}`;
};
