import type { JsonObject } from "@manifold/core";
import { costOf, type Price, type Store } from "@manifold/store";
import type { Billing } from "../billing.ts";
import { Refusal } from "../http/refusal.ts";

export interface BillingOptions {
  /** `threshold` admits while something is left; `strict` only what fits. */
  policy: "threshold" | "strict";
  now(): number;
}

/** Billing against the ledger of a store. */
export function storeBilling(store: Store, { policy, now }: BillingOptions): Billing {
  return {
    async hold({ id, caller, modality, model, request, price, usage }) {
      const at = now();
      const amount = costOf({ ...usage, requests: 1 }, price);
      const held = await store.money.reserve({
        generation: {
          id,
          accountId: caller.accountId,
          keyId: caller.keyId,
          modality,
          model,
          request,
          price: price as JsonObject,
        },
        amount,
        at,
        policy,
      });
      if (!held.ok) throw held.reason === "balance" ? emptyBalance() : capReached(held, at);
      return {
        async settle({ status, usage: used, durationMs, route }) {
          const ending = { id, status, durationMs, route };
          if (!used) await store.money.release(ending);
          else await store.money.settle({ ...ending, usage: toRecord(used), cost: chargeOf(used, price) });
        },
      };
    },
  };
}

type Used = NonNullable<Parameters<Awaited<ReturnType<Billing["hold"]>>["settle"]>[0]["usage"]>;

const chargeOf = (usage: Used, price: Price): number => costOf({ ...usage, requests: 1 }, price);

/** The usage of a record: what people read, and the counts that the charge can be computed from again. */
const toRecord = (usage: Used): JsonObject => ({
  ...usage,
  requests: 1,
  promptTokens: usage.input,
  completionTokens: usage.output,
  totalTokens: usage.input + usage.output,
});

const emptyBalance = (): Refusal =>
  new Refusal(403, "The credit balance of the account is used up.", {
    code: "insufficient_balance",
    headers: { "x-should-retry": "false" },
  });

function capReached({ cap, resetsAt }: { cap: string; resetsAt?: number }, at: number): Refusal {
  const wait: Record<string, string> =
    resetsAt === undefined ? {} : { "retry-after": String(Math.ceil((resetsAt - at) / 1000)) };
  return new Refusal(429, `The ${cap} spend limit of this API key is reached.`, {
    code: "spend_limit_reached",
    headers: { "x-should-retry": "false", ...wait },
  });
}
