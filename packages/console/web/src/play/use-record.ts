import { useQuery } from "@tanstack/preact-query";
import type { Detail } from "../request/detail.ts";
import { findDetail } from "../request/detail.ts";

/** How often a record is asked for that is not settled: a stream that was stopped is charged when it ends. */
const AGAIN_MS = 500;
const MOST = 20;

/** The record of a generation that has ended, once it is settled. */
export function useRecord(id: string | undefined): Detail | undefined {
  const { data } = useQuery({
    queryKey: ["settled", id],
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => findDetail(id ?? "", "account", signal),
    refetchInterval: ({ state: { data: record, dataUpdateCount, errorUpdateCount } }) => {
      const isSettled = record !== undefined && record.status !== "pending";
      return isSettled || dataUpdateCount + errorUpdateCount >= MOST ? false : AGAIN_MS;
    },
  });
  return data?.status === "pending" ? undefined : data;
}
