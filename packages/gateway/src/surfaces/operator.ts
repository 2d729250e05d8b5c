import type { Account } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { RequestContext } from "../ports/context.ts";

/** Finds the account that the path names. Throws a 404 if there is none. */
export async function findAccount({ services, params }: RequestContext<"store">): Promise<Account> {
  const account = await services.store.accounts.get(params.accountId ?? "");
  if (!account) throw new Refusal("account_not_found", "There is no such account.");
  return account;
}
