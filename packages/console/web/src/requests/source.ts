import { useQuery } from "@tanstack/preact-query";
import { type Answer, call, type Query } from "../api/client.ts";
import { keyNames } from "../keys/names.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { operator, session } from "../state/session.ts";
import { filtersOf } from "../state/url.ts";
import { ACCOUNT_SERIES, ALL, type SeriesPath } from "../usage/series.ts";
import { openRangeIn } from "../usage/time.ts";
import { kindsIn, outcomesIn, type Refusal } from "./refused.ts";

/** A record, of the account or of any. */
type Recorded = Answer<"/api/admin/generations">["results"][number];
/** What every request has. */
type Always = Pick<Recorded, "id" | "userId" | "model" | "createdAt">;
/** A request: a record, or one that was refused before it had one. */
export interface Row extends Always, Partial<Omit<Recorded, "status" | keyof Always>> {
  status: Recorded["status"] | "refused";
  refusal?: Refusal;
}
export type Filters = Query<"/api/admin/generations/totals">;
export type Params = Readonly<Record<string, string>>;
/** The requests that a screen shows: those of the account, or of all accounts. */
export type Whose = "account" | "all";

/** The requests on a page of the list. */
const PAGE = 100;

/** The filters of records, beside the range. */
export const NAMES = [
  ...(["account", "key", "model", "status", "modality", "surface", "provider", "entry"] as const),
  ...([
    "tag",
    "user",
    "minCost",
    "minDuration",
    "losses",
    "translated",
    "requestId",
    "batch",
    "code",
  ] as const),
] as const satisfies readonly (keyof Filters)[];

/** The requests that an address is about: operators see those of all accounts, and of their account if they have one. */
export const whoseIn = ({ of, account }: Params): Whose =>
  operator.value !== null && (session.value === null || of === "all" || account !== undefined)
    ? "all"
    : "account";

/** The sums that a screen's picture is made of. */
export const seriesOf = (whose: Whose): SeriesPath => (whose === "all" ? ALL : ACCOUNT_SERIES);

/** The conditions that an address has. Without a range there is no end to what is listed. */
export function chosenIn(params: Params): Filters {
  return { ...filtersOf<"/api/admin/generations/totals">(params, NAMES), ...openRangeIn(params) };
}

const SORTS = ["cost", "duration", "tokens"] as const;
/** What the list is sorted by; nothing for the newest first. */
export const sortIn = ({ sort }: Params): (typeof SORTS)[number] | undefined =>
  SORTS.find((one) => one === sort);

/** Where a page begins: behind a record, at a rank, or behind a refused request. */
export interface Place {
  /** The cursor of records, or `END` once there are no more of them. */
  after?: string | undefined;
  offset?: string | undefined;
  /** Refused requests are listed from this moment back. */
  upto?: string | undefined;
  before?: string | undefined;
}
const END = "end";
/** The beginning of a list. */
export const FIRST = { after: undefined, offset: undefined, upto: undefined, before: undefined };

interface Page {
  results: readonly Row[];
  /** The address of the next page. */
  next?: Place;
  /** Only requests from then on were compared. */
  since?: string;
}

/** One page of the records that an address chooses. */
async function recordsOf(whose: Whose, params: Params, signal: AbortSignal): Promise<Page> {
  const { account, provider, code: _, ...chosen } = chosenIn(params);
  const filters = { ...chosen, status: outcomesIn(chosen) };
  const sort = sortIn(params);
  const offset = Number(params.offset ?? 0);
  if (whose === "all") {
    const place = { offset: sort && offset, before: sort ? undefined : params.after };
    const query = { ...filters, account, provider, limit: PAGE, sort, ...place };
    const { results, next, since } = await call("get", "/api/admin/generations", { query, signal });
    const more = sort ? nextOf(offset, results) : next && { after: next };
    return { results, ...(more && { next: more }), ...(since !== undefined && { since }) };
  }
  const place = { offset: sort && offset, after: sort ? undefined : (params.after ?? "0") };
  const query = { ...filters, request: "false", limit: PAGE, sort, ...place } as const;
  const { results, next, since } = await call("get", "/api/compat/v1/usage", { query, signal });
  const more = sort ? nextOf(offset, results) : next === undefined ? undefined : { after: next };
  return { results, ...(more && { next: more }), ...(since !== undefined && { since }) };
}

/** One page of the requests that an address chooses: records, and those that were refused in the same time. */
async function pageOf(whose: Whose, params: Params, signal: AbortSignal): Promise<Page> {
  const filters = chosenIn(params);
  const kinds = kindsIn(filters);
  const isSorted = sortIn(params) !== undefined;
  const { after, upto, before } = params;
  const loading = import("./refused-rows.ts");
  const refused = async (place: { before?: string | undefined; since?: string | undefined }) =>
    (await loading).refusedOf(whose, filters, { ...place, to: upto }, signal);
  if (!kinds.records || after === END) {
    const { rows, next } =
      kinds.refused && !isSorted ? await refused({ before }) : { rows: [], next: undefined };
    return { results: rows, ...(next && { next: { ...(after && { after }), upto, before: next } }) };
  }
  const page = await recordsOf(whose, params, signal);
  if (!kinds.refused || isSorted) return page;
  const oldest = page.next && page.results.at(-1)?.createdAt;
  const { rows, next } = await refused({ since: oldest });
  const results = [...page.results, ...rows].sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
  if (page.next) return { ...page, results, next: { ...page.next, upto: oldest } };
  return { ...page, results, ...(next && { next: { after: END, before: next, upto } }) };
}

/** A sorted list ends after ten pages. */
const nextOf = (offset: number, { length }: readonly unknown[]): Place | undefined =>
  length === PAGE && offset + 2 * PAGE <= 1_000 ? { offset: String(offset + PAGE) } : undefined;

/** The requests that an address chooses. */
export function useRequests(whose: Whose, params: Params) {
  const chosen = chosenIn(params);
  const { sort, after, offset, upto, before } = params;
  return useQuery({
    queryKey: ["requests", whose, chosen, sort, after, offset, upto, before],
    queryFn: ({ signal }) => pageOf(whose, params, signal),
    placeholderData: keepWhileOnline,
  });
}

/** What the requests that an address chooses add up to. */
export function useTotals(whose: Whose, params: Params) {
  const chosen = chosenIn(params);
  const { account: _, provider: _provider, ...filters } = chosen;
  return useQuery({
    queryKey: ["requests", whose, "totals", chosen],
    queryFn: ({ signal }) =>
      whose === "all"
        ? call("get", "/api/admin/generations/totals", { query: chosen, signal })
        : call("get", "/api/compat/v1/usage/totals", { query: filters, signal }),
    placeholderData: keepWhileOnline,
  });
}

/** The names of an account's keys by their ids; of all accounts' keys together only the ids are known. */
export function useKeyNames(whose: Whose, account?: string): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...keyNames(whose === "all" ? account : undefined),
    enabled: whose === "account" || account !== undefined,
  });
  return new Map(data?.results.map(({ id, name }) => [id, name] as const));
}
