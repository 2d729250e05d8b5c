import { session } from "../state/session.ts";

/** The page of a key; operators look at keys of any account. Requests of the playground have no key with a page. */
export function keyAddress(id: string, accountId: string | undefined): string {
  const at = encodeURIComponent(id);
  const account = accountId === undefined || accountId === session.value?.accountId ? undefined : accountId;
  if (id.startsWith("playground:")) return `/console/requests?key=${at}${account ? "&of=all" : ""}`;
  return `/console/keys/${at}${account ? `?account=${encodeURIComponent(account)}` : ""}`;
}
