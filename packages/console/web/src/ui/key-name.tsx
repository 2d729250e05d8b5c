import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { keyAddress } from "../keys/address.ts";
import { session } from "../state/session.ts";

/** The names of an account's keys: of the own one, or of any for operators. */
const namesOf = async (accountId: string | undefined, signal: AbortSignal) =>
  accountId === undefined
    ? call("get", "/api/compat/v1/api-keys", { signal })
    : call("get", "/api/admin/accounts/{accountId}/api-keys", { path: { accountId }, signal });

/** The name of a key, which leads to its page. */
export function KeyName({ of: id, account }: { of: string; account?: string }) {
  const other = account === session.value?.accountId ? undefined : account;
  const { data } = useQuery({
    queryKey: other === undefined ? ["keys", "names"] : ["admin", other, "key names"],
    queryFn: ({ signal }) => namesOf(other, signal),
  });
  const name = data?.results.find((key) => key.id === id)?.name ?? id;
  return (
    <a class="wrap" href={keyAddress(id, account)}>
      {name}
    </a>
  );
}
