import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { keyAddress } from "../keys/address.ts";
import { session } from "../state/session.ts";

/** The name of a key, which leads to its page; of another account's key only the id is known. */
export function KeyName({ of: id, account }: { of: string; account?: string }) {
  const { data } = useQuery({
    queryKey: ["keys", "names"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/api-keys", { signal }),
    enabled: account === undefined || session.value?.accountId === account,
  });
  const name = data?.results.find((key) => key.id === id)?.name ?? id;
  return (
    <a class="wrap" href={keyAddress(id, account)}>
      {name}
    </a>
  );
}
