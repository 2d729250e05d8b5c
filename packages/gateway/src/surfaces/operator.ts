import type { Account } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";

/** The account that the path names; a 404 where there is none. */
export async function findAccount({ services, params }: Context): Promise<Account> {
  const account = await services.store.accounts.get(params.accountId ?? "");
  if (!account) throw new Refusal("account_not_found", "There is no such account.");
  return account;
}
