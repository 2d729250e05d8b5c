import type { ComponentChildren } from "preact";
import { Failed, Loading } from "./parts.tsx";

/** What is known of a question to the service, as the query library tells it. */
export interface QueryState<Data> {
  isPending: boolean;
  isError: boolean;
  /** It is asked, be it for the first time or again. */
  isFetching: boolean;
  error: unknown;
  data: Data | undefined;
  refetch: () => unknown;
}

interface AwaitedProps<Data> {
  /** Named while it is loaded. */
  label: string;
  /** The rows that it will have, about, whose room is kept while it is loaded. */
  rows?: number;
  of: QueryState<Data>;
  children?: (data: Data) => ComponentChildren;
}

/** What was asked for, once it is there; until then that it loads, or why it does not come. */
export function Awaited<Data>({ label, rows, of, children }: AwaitedProps<Data>) {
  return (
    <>
      {of.isPending && <Loading label={label} rows={rows} />}
      {of.isError && <Failed error={of.error} retry={() => void of.refetch()} isTrying={of.isFetching} />}
      {of.data !== undefined && children?.(of.data)}
    </>
  );
}

/** A question beside others, which wait for its answer as well; if it is refused, or not asked, they do without. */
export const optional = <Data,>(one: QueryState<Data>): QueryState<{ answer: Data | undefined }> => {
  const isPending = one.isPending && one.isFetching;
  return {
    ...{ isPending, isError: false, isFetching: one.isFetching, error: null, refetch: one.refetch },
    data: isPending ? undefined : { answer: one.data },
  };
};

type DataOf<All extends readonly QueryState<unknown>[]> = {
  [At in keyof All]: All[At] extends QueryState<infer Data> ? Data : never;
};

/**
 * Several questions as one, with the data of all in their order. Those that were refused make one alert, and one
 * "Try again" asks all of them.
 */
export function together<const All extends readonly QueryState<unknown>[]>(
  all: All,
): QueryState<DataOf<All>> {
  const failed = all.filter(({ isError }) => isError);
  const data = all.map((one) => one.data);
  return {
    isPending: failed.length === 0 && all.some(({ isPending }) => isPending),
    isError: failed.length > 0,
    isFetching: failed.some(({ isFetching }) => isFetching),
    error: failed[0]?.error,
    data: data.includes(undefined) ? undefined : (data as DataOf<All>),
    refetch: () => failed.forEach(({ refetch }) => void refetch()),
  };
}
