import { CostTooLarge, type Counts, costOf, type Price, toUsd } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { Opening, Used } from "../ports/billing.ts";

/** The cost of some usage, in micro-USD. */
export const chargeOf = (usage: Used, price: Price): number => costOf({ ...usage, requests: 1 }, price);

/** The largest hold of one request, in micro-USD: sums of very many holds stay exact integers. */
const MOST_HELD = 1_000_000_000_000;

/**
 * The hold for the most that a request can use, in micro-USD. Throws a 400 if the request's figures exceed any hold.
 */
export function holdOf(usage: Counts, price: Price): number {
  try {
    const amount = costOf(usage, price);
    if (amount <= MOST_HELD) return amount;
  } catch (error) {
    if (!(error instanceof CostTooLarge)) throw error;
  }
  throw new Refusal(
    "cost_too_large",
    `The request could cost more than ${toUsd(MOST_HELD)} USD: request less output, or fewer or shorter media.`,
  );
}

/** The hold for a generation, in micro-USD. */
export const amountOf = ({ amount, usage, price }: Pick<Opening, "amount" | "usage" | "price">): number =>
  amount ?? holdOf({ ...usage, requests: 1 }, price);
