import type { Answer } from "../api/client.ts";

export type Account = Answer<"/api/admin/accounts/{accountId}">;

export interface ActProps {
  of: Account;
  onClose: () => void;
}

/** An amount that was typed in, in US dollars. */
export const amountOf = (text: string): number => {
  const amount = Number(text);
  if (!(amount > 0)) throw new Error("The amount must be more than 0.");
  return amount;
};
