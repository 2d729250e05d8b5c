import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  CAPS,
  type Price,
  playgroundOf,
  type Reserved,
  type Store,
  windowEnd,
  windowsOf,
} from "@manifold-gateway/store";
import { unauthorized } from "../access/authenticate.ts";
import { Refusal } from "../http/refusal.ts";
import type { Caller } from "../ports/access.ts";
import type { Billing, Headroom, Hold, Opening, Outcome, ReplyText, Used } from "../ports/billing.ts";
import { TIME_ORDERED_ID } from "../request/time-ordered-id.ts";
import { amountOf, chargeOf } from "./amounts.ts";

export interface BillingOptions {
  /** `threshold` admits a request if any credit is left, `strict` only if the hold fits. */
  policy: "threshold" | "strict";
  now(): number;
}

/** Creates billing with a store's ledger. */
export function storeBilling(store: Store, { policy, now }: BillingOptions): Billing {
  return {
    replyBytes: store.contents.replyBytes,
    hold(opening) {
      const { id, caller, modality, model, request, price, labels, surface } = opening;
      // The time of the id, so that a record and its charge sort into one month, also at midnight.
      const time = TIME_ORDERED_ID.exec(id)?.[1];
      const at = time === undefined ? now() : Number.parseInt(time, 16);
      const reserved = store.money.reserve({
        generation: {
          id,
          accountId: caller.accountId,
          keyId: caller.keyId,
          modality,
          model,
          request,
          price: price as JsonObject,
          tags: labels?.tags,
          user: labels?.user,
          surface,
        },
        amount: amountOf(opening),
        at,
        policy,
        dispatched: true,
      });
      const admit = (result: Reserved): Hold => {
        if (!result.ok) throw refusal(result, at, spenderOf(caller));
        return new StoreHold(store, opening, at);
      };
      return reserved instanceof Promise ? reserved.then(admit) : admit(reserved);
    },
    async headroom(opening) {
      const { accountId, keyId } = opening.caller;
      const at = now();
      const amount = amountOf(opening);
      const isFree = amount === 0 && Object.values(opening.price).every((rate) => rate === 0);
      const need = isFree
        ? Number.NEGATIVE_INFINITY
        : policy === "strict" || opening.exact
          ? Math.max(1, amount)
          : 1;
      const look = async (): Promise<Headroom & { refused?: Refused }> => {
        const account = await store.accounts.get(accountId);
        const available = (account?.balance ?? 0) - (account?.held ?? 0);
        const caps = keyId === undefined ? {} : await store.money.capStatus(keyId, at);
        const refused = refusedFor(available, caps, need, at);
        return {
          available,
          caps,
          ...(refused && { refused, refusal: refusal(refused, at, spenderOf(opening.caller)) }),
        };
      };
      const { refused, ...found } = await look();
      if (!refused) return found;
      // Idle credit leases may hold the missing credit. They are recalled, as for a hold.
      const cap = refused.reason === "cap" && keyId !== undefined ? refused.cap : undefined;
      const of = cap && keyId !== undefined && { key: keyId, cap, window: windowsOf(at)[cap] };
      await store.money.recall(accountId, { amount: need, ...(of && { cap: of }) });
      const { refused: _, ...again } = await look();
      return again;
    },
  };
}

type HoldStore = Pick<Store, "money" | "contents">;

/** A hold that is a reservation of a store. */
class StoreHold implements Hold {
  readonly #store: HoldStore;
  readonly #at: number;
  readonly #id: string;
  readonly #accountId: string;
  readonly #price: Price;

  constructor(store: HoldStore, { id, caller, price }: Opening, at: number) {
    this.#store = store;
    this.#at = at;
    this.#id = id;
    this.#accountId = caller.accountId;
    this.#price = price;
  }

  checkpoint(usage: Used, served?: Price): Promise<void> {
    return this.#store.money.checkpoint(this.#id, toRecord(usage), served as JsonObject | undefined);
  }

  async settle({ status, usage, durationMs, route, price, errors, reply }: Outcome): Promise<number> {
    const id = this.#id;
    const ending: Parameters<Store["money"]["release"]>[0] = {
      id,
      accountId: this.#accountId,
      status,
      durationMs,
      route,
    };
    if (price) ending.price = price as JsonObject;
    if (errors) void this.#keepErrors(errors);
    const cost = usage ? chargeOf(usage, price ?? this.#price) : 0;
    const { outcome } = usage
      ? await this.#store.money.settle({ ...ending, usage: toRecord(usage), cost })
      : await this.#store.money.release(ending);
    // The end was not written, so the answer must not reach its end either.
    if (outcome === "refused") throw new Error(`generation ${id} has ended otherwise; it is not settled`);
    // The answer goes first: reading a reply takes longer than the rest of its end.
    if (reply) setImmediate(() => this.#keepReply(reply));
    return cost;
  }

  #keepReply(reply: ReplyText): void {
    const text = reply.text();
    if (text === undefined) return;
    this.#store.contents.keepReply({ id: this.#id, account: this.#accountId, at: this.#at }, text);
  }

  async #keepErrors(errors: NonNullable<Outcome["errors"]>): Promise<void> {
    const known = (await Promise.all(errors)).filter((error) => error !== undefined);
    this.#store.contents.keepErrors({ id: this.#id, account: this.#accountId, at: this.#at }, known);
  }
}

type Refused = Exclude<Reserved, { ok: true }>;

/** The usage for a record: readable counts, and the counts from which the charge can be computed again. */
const toRecord = (usage: Used): JsonObject => ({
  ...usage,
  requests: 1,
  promptTokens: usage.input,
  completionTokens: usage.output,
  totalTokens: usage.input + usage.output,
});

/** The refusal that a reservation of this amount would get now. */
function refusedFor(
  available: number,
  caps: Headroom["caps"],
  need: number,
  at: number,
): Refused | undefined {
  if (available < need) return { ok: false, reason: "balance", available };
  for (const cap of CAPS) {
    const status = caps[cap];
    if (!status || status.spent + need <= status.limit) continue;
    const resetsAt = windowEnd(cap, at);
    return {
      ok: false,
      reason: "cap",
      cap,
      limit: status.limit,
      ...(resetsAt !== undefined && { resetsAt }),
    };
  }
  return undefined;
}

/** The owner of the caps that limit a caller, in words. */
const spenderOf = ({ accountId, keyId }: Pick<Caller, "accountId" | "keyId">): string =>
  keyId === playgroundOf(accountId) ? "the playground" : "this API key";

/** The refusal for a failed reservation. */
export function refusal(reserved: Refused, at: number, spender = "this API key"): Refusal {
  switch (reserved.reason) {
    case "inactive":
      return unauthorized("caller");
    case "balance":
      return new Refusal("insufficient_balance", "The credit balance of the account is used up.", {
        headers: { "x-should-retry": "false" },
      });
    case "cap":
      return new Refusal("spend_limit_reached", `The ${reserved.cap} spend limit of ${spender} is reached.`, {
        headers: {
          "x-should-retry": "false",
          ...(reserved.resetsAt !== undefined && {
            "retry-after": String(Math.max(1, Math.ceil((reserved.resetsAt - at) / 1000))),
          }),
        },
      });
  }
}
