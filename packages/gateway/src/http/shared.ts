import { Refusal } from "./refusal.ts";

/** Reads one query parameter; the first of several counts. */
export type Query = (name: string) => string | undefined;

/** The parameters of a query string, without its question mark. */
export function toQuery(search: string): Query {
  if (search === "") return () => undefined;
  const params = new URLSearchParams(search);
  return (name) => params.get(name) ?? undefined;
}

/** What a body over the limit is told. The rest of it is not read, so the connection cannot be used again. */
export const tooLarge = (limit: number): Refusal =>
  new Refusal("body_too_large", `The request body is larger than ${limit} bytes.`, {
    headers: { connection: "close" },
  });
