import type { JsonObject } from "@manifold/core";
import { costOf, type Price, type Reserved, type Store } from "@manifold/store";
import { unauthorized } from "../access.ts";
import type { Billing, Outcome } from "../billing.ts";
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
      const reserved = await store.money.reserve({
        generation: {
          id,
          accountId: caller.accountId,
          ...(caller.keyId !== undefined && { keyId: caller.keyId }),
          modality,
          model,
          request,
          price: price as JsonObject,
        },
        amount: chargeOf(usage, price),
        at,
        policy,
        dispatched: true,
      });
      if (!reserved.ok) throw refusal(reserved, at);
      return {
        checkpoint: (usage) => store.money.checkpoint(id, toRecord(usage)),
        async settle({ status, usage: used, durationMs, route }) {
          const ending = { id, status, durationMs, route };
          if (!used) await store.money.release(ending);
          else await store.money.settle({ ...ending, usage: toRecord(used), cost: chargeOf(used, price) });
        },
      };
    },
  };
}

type Used = NonNullable<Outcome["usage"]>;

const chargeOf = (usage: Used, price: Price): number => costOf({ ...usage, requests: 1 }, price);

/** The usage of a record: what people read, and the counts that the charge can be computed from again. */
const toRecord = (usage: Used): JsonObject => ({
  ...usage,
  requests: 1,
  promptTokens: usage.input,
  completionTokens: usage.output,
  totalTokens: usage.input + usage.output,
});

function refusal(reserved: Exclude<Reserved, { ok: true }>, at: number): Refusal {
  switch (reserved.reason) {
    case "inactive":
      return unauthorized("caller");
    case "balance":
      return new Refusal(403, "The credit balance of the account is used up.", {
        code: "insufficient_balance",
        headers: { "x-should-retry": "false" },
      });
    case "cap":
      return new Refusal(429, `The ${reserved.cap} spend limit of this API key is reached.`, {
        code: "spend_limit_reached",
        headers: {
          "x-should-retry": "false",
          ...(reserved.resetsAt !== undefined && {
            "retry-after": String(Math.max(1, Math.ceil((reserved.resetsAt - at) / 1000))),
          }),
        },
      });
  }
}
