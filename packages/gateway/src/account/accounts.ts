import type { JsonObject } from "@manifold-gateway/core/codec";
import { type Account, type Movement, toUsd } from "@manifold-gateway/store";
import { HOUR, momentOf } from "../http/moments.ts";
import type { Services } from "../ports/services.ts";

/** An account as operators see it, with amounts in US dollars. */
export const toAccount = (account: Account): JsonObject => ({
  id: account.id,
  name: account.name,
  isActive: account.isActive,
  creditBalance: toUsd(account.balance),
  held: toUsd(account.held),
  ...(account.login !== undefined && { login: account.login }),
  createdAt: momentOf(account.createdAt),
});

/** A movement of credit: above 0 it was given, below 0 it was charged. */
export const toMovement = ({ amount, balance, createdAt, ...rest }: Movement): JsonObject => ({
  ...rest,
  amount: toUsd(amount),
  ...(balance !== undefined && { balance: toUsd(balance) }),
  createdAt: momentOf(createdAt),
});

const MONTH = 30 * 24 * HOUR;

/** The spend of each of these accounts in the last 30 days, to the hour, in US dollars. */
export async function spendsOf(
  { store, now }: Pick<Services, "store" | "now">,
  accounts: readonly Account[],
): Promise<(id: string) => { spend30Days: number }> {
  const from = now() - MONTH;
  const spent = await store.usage.spent(
    accounts.map(({ id }) => id),
    from - (from % HOUR),
  );
  return (id) => ({ spend30Days: toUsd(spent.get(id) ?? 0) });
}
