import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import type { Option } from "../ui/options.ts";

/** The accounts to choose from; of more than these an id is typed. */
export function useAccountOptions(): Option[] {
  const accounts = useQuery({
    queryKey: ["accounts", "names"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts", { query: { limit: 100 }, signal }),
  });
  return (accounts.data?.results ?? []).map(({ id, name }) => ({ value: id, text: name, note: id }));
}
