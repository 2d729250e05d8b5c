import type { JsonObject } from "@manifold-gateway/core/codec";
import { type Account, type Movement, toUsd } from "@manifold-gateway/store";

/** An account as its operator sees it; amounts in US dollars. */
export const toAccount = (account: Account): JsonObject => ({
  id: account.id,
  name: account.name,
  isActive: account.isActive,
  creditBalance: toUsd(account.balance),
  held: toUsd(account.held),
  ...(account.login !== undefined && { login: account.login }),
  createdAt: new Date(account.createdAt).toISOString(),
});

/** A movement of credit; above 0 it was given, below 0 it was charged. */
export const toMovement = ({ amount, createdAt, ...rest }: Movement): JsonObject => ({
  ...rest,
  amount: toUsd(amount),
  createdAt: new Date(createdAt).toISOString(),
});
