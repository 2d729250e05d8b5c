import { useLocation } from "preact-iso";
import type { Path, Query } from "../api/client.ts";

/** The filters of a screen, which are its address: a link shows a colleague the same. */
export function useParams(): [
  params: Record<string, string>,
  /** Typing replaces the address; each choice is a step back. */
  set: (change: Record<string, string | undefined>, replaces?: boolean) => void,
] {
  const { query, path, route } = useLocation();
  const set = (change: Record<string, string | undefined>, replaces = false): void => {
    const next = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...change }))
      if (value !== undefined && value !== "") next.set(name, value);
    const text = next.toString();
    route(text ? `${path}?${text}` : path, replaces);
  };
  return [query, set];
}

/** The parameters of the address that are filters of a route. The service checks their values. */
export const filtersOf = <P extends Path>(
  params: Readonly<Record<string, string>>,
  names: readonly (keyof Query<P> & string)[],
) =>
  Object.fromEntries(
    names.flatMap((name) => (params[name] ? [[name, params[name]] as const] : [])),
  ) as Query<P>;
