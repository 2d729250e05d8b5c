import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { call } from "../api/client.ts";
import { session } from "../state/session.ts";

/** The name of an account, for operators. */
export function AccountName({ of: accountId }: { of: string }) {
  const { data } = useQuery({
    queryKey: ["admin", accountId, "account"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts/{accountId}", { path: { accountId }, signal }),
    retry: false,
  });
  return <>{data?.name ?? accountId}</>;
}

/** The same, which leads to its page. */
const AccountLink = ({ of: accountId }: { of: string }) => (
  <a class="wrap" href={`/console/accounts/${encodeURIComponent(accountId)}`}>
    <AccountName of={accountId} />
  </a>
);

/** The account that something is of, among other facts, where it is not that of who is signed in. */
export const accountFact = (id: string | undefined): [string, ComponentChildren][] =>
  id === undefined || id === session.value?.accountId ? [] : [["Account", <AccountLink key="a" of={id} />]];
