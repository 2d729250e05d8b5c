import type { Detail } from "./detail.ts";

/** Micro-USD of an amount that a route writes in US dollars. */
export const toMicro = (amount: number): number => Math.round(amount * 1_000_000);

/** A movement of the ledger, with the balance after it. */
export interface Balanced {
  id: string;
  kind: string;
  amount: number;
  balance?: number | undefined;
  generationId?: string | undefined;
}

/** What a request held, cost and gave back, and what it did to the balance, in micro-USD. */
interface Held {
  held: number;
  /** Absent while it runs. */
  charged?: number;
  /** What the hold had beyond the charge; below 0 if the charge was greater. */
  rest?: number;
  /** The balance before its charge and after it; those of all requests that were charged together. */
  balance?: { before: number; after: number };
  /** The charge of all requests that were charged together with it, if there were others. */
  together?: number;
}

/** What a request held and what became of it; the balances are known once its movements are. */
export function heldOf(
  { microHeld: held, microCost: charged }: Pick<Detail, "microHeld" | "microCost">,
  movements: readonly Balanced[] = [],
): Held {
  const charge = movements.find(({ kind }) => kind === "charge");
  const amount = charge && toMicro(charge.amount);
  const after = charge?.balance === undefined ? undefined : toMicro(charge.balance);
  const isShared = charge?.generationId === undefined && amount !== undefined && -amount !== charged;
  return {
    held,
    ...(charged !== undefined && { charged, rest: held - charged }),
    ...(after !== undefined && amount !== undefined && { balance: { before: after - amount, after } }),
    ...(isShared && { together: -amount }),
  };
}
