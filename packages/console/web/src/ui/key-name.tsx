import { useQuery } from "@tanstack/preact-query";
import { keyAddress } from "../keys/address.ts";
import { keyNames } from "../keys/names.ts";
import { session } from "../state/session.ts";

/** The name of a key, which leads to its page. */
export function KeyName({ of: id, account }: { of: string; account?: string }) {
  const other = account === session.value?.accountId ? undefined : account;
  const { data } = useQuery(keyNames(other));
  const name = data?.results.find((key) => key.id === id)?.name ?? id;
  return (
    <a class="wrap" href={keyAddress(id, account)}>
      {name}
    </a>
  );
}
