import { useQuery } from "@tanstack/preact-query";
import { call, type Exact, type Query } from "../api/client.ts";
import { keepWhileOnline } from "../state/keep.ts";
import type { Series } from "./measures.ts";

/** The routes that sum usage: that of an account, and that of operators over all of them. */
export const ACCOUNT_SERIES = "/api/compat/v1/usage/series";
export const ALL = "/api/admin/usage/series";
export type SeriesPath = typeof ACCOUNT_SERIES | typeof ALL;

/** What sums can be narrowed to; only those of all accounts to one of them. */
export type SeriesQuery = Query<typeof ALL>;

/** Sums of usage by time. */
export const useSeries = <Q extends SeriesQuery>(
  query: Exact<Q, SeriesQuery>,
  path: SeriesPath = ACCOUNT_SERIES,
  enabled = true,
) =>
  useQuery({
    queryKey: ["series", path, query],
    queryFn: ({ signal }): Promise<Series> => call("get", path, { query, signal }),
    enabled,
    placeholderData: keepWhileOnline,
  });
