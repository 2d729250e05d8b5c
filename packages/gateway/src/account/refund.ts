import { type By, type Store, toUsd } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import { missingGeneration } from "./missing-generation.ts";

export interface Refund {
  accountId: string;
  generationId: string;
  /** Micro-USD. Default: the whole charge. */
  amount?: number | undefined;
  by: By;
}

/**
 * Refunds the charge of a generation, or a part of it, once: a repeated call refunds nothing. Resolves to the refunded
 * amount, also if it was refunded before. Throws a 404 if the account has no such generation or it is archived, and a 400
 * if the amount exceeds the charge.
 */
export async function refundCharge(
  store: Pick<Store, "archive" | "generations" | "money" | "ledger">,
  { accountId, generationId, by, ...request }: Refund,
): Promise<{ amount: number; isNew: boolean }> {
  const generation = await store.generations.get({ id: generationId, accountId });
  if (!generation)
    throw await missingGeneration(store, generationId, "The account has no such generation.", {
      param: "generationId",
    });
  const { cost = 0 } = generation;
  const { amount = cost } = request;
  if (amount < 1 || amount > cost)
    throw new Refusal("refund_too_large", `amount: the generation was charged ${toUsd(cost)} USD.`, {
      param: "amount",
    });
  const isNew = await store.money.refund(generationId, amount, by.at, by);
  if (isNew) return { amount, isNew };
  const before = await store.ledger.get({ id: `refund:${generationId}`, accountId });
  return { amount: before?.amount ?? amount, isNew };
}
