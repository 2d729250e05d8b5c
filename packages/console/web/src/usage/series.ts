import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import type { Series } from "./measures.ts";

/** The routes that sum usage: that of an account, and that of operators over all of them. */
export const ACCOUNT_SERIES = "/api/compat/v1/usage/series";
export const ALL = "/api/admin/usage/series";
export type SeriesPath = typeof ACCOUNT_SERIES | typeof ALL;

/** Sums of usage by time. */
export const useSeries = (query: object, path: SeriesPath = ACCOUNT_SERIES) =>
  useQuery({
    queryKey: ["series", path, query],
    queryFn: ({ signal }): Promise<Series> => call("get", path, { query: query as never, signal }),
    placeholderData: keepPreviousData,
  });
