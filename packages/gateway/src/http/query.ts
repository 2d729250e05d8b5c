/** Reads a query parameter. If it occurs several times, the first counts. */
export type Query = (name: string) => string | undefined;

/** The parameters of a query string, without its question mark. */
export function toQuery(search: string): Query {
  if (search === "") return () => undefined;
  const params = new URLSearchParams(search);
  return (name) => params.get(name) ?? undefined;
}
