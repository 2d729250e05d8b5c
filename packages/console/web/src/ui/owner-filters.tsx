import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { Typed } from "./filters.tsx";

/** The accounts that are offered; others can be typed in. */
const MOST = 100;

interface OwnerFiltersProps {
  params: Readonly<Record<string, string>>;
  set: (change: Record<string, string | undefined>) => void;
}

/** The account and the key of what is listed, for lists over all accounts. */
export function OwnerFilters({ params, set }: OwnerFiltersProps) {
  const { data } = useQuery({
    queryKey: ["accounts", "known"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts", { query: { limit: MOST }, signal }),
  });
  return (
    <>
      <Typed
        name="Account"
        value={params.account}
        placeholder="id"
        {...(data && { suggestions: data.results.map(({ id, name }) => [id, name] as const) })}
        onChange={(account) => set({ account })}
        isFirst
      />
      <Typed name="Key" value={params.key} placeholder="id" onChange={(key) => set({ key })} />
    </>
  );
}
