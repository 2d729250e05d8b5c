import { type Slot, Slots } from "@manifold-gateway/providers/routing";
import type { Restrictions, Store } from "@manifold-gateway/store";
import { ownerOf } from "../access/authenticate.ts";
import type { KeyLimits, KeySlot } from "../ports/bounds.ts";
import { type RatedSlot, StoreCounter, tooManyAtOnce } from "./key-rates.ts";

/**
 * Limits a key to `most` running requests in this process; the sessions of one account share a limit. A key with
 * limits of its own is also counted in the store, together with the requests of other processes.
 */
export function createKeyLimits(store: Pick<Store, "keyRates">, most: number): KeyLimits {
  const running = new Slots({ each: most });
  const counter = new StoreCounter(store);
  return {
    enter(context, caller) {
      const slot = running.take(ownerOf(caller));
      if (!slot) throw tooManyAtOnce(most);
      const local = new RunningSlot(running, slot);
      const { keyId, restrictions: rates } = caller;
      if (keyId === undefined || !rates || !isRated(rates)) return local;
      return counted(local, counter, { context, keyId, rates, id: context.services.id() });
    },
  };
}

async function counted(local: KeySlot, counter: StoreCounter, of: RatedSlot): Promise<KeySlot> {
  try {
    await counter.enter(of);
  } catch (error) {
    local.end();
    throw error;
  }
  return new CountedSlot(local, counter, of);
}

/** A running request that only this process counts. */
class RunningSlot implements KeySlot {
  readonly #running: Slots;
  readonly #slot: Slot;

  constructor(running: Slots, slot: Slot) {
    this.#running = running;
    this.#slot = slot;
  }

  reserve(): undefined {}

  end(): undefined {
    this.#running.release(this.#slot);
  }
}

/** A running request that the store counts as well. */
class CountedSlot implements KeySlot {
  readonly #local: KeySlot;
  readonly #counter: StoreCounter;
  readonly #of: RatedSlot;
  #isEnded = false;

  constructor(local: KeySlot, counter: StoreCounter, of: RatedSlot) {
    this.#local = local;
    this.#counter = counter;
    this.#of = of;
  }

  reserve(tokens: number): Promise<void> {
    return this.#counter.reserve(this.#of, tokens);
  }

  async end(tokens = 0): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#local.end();
    await this.#counter.leave(this.#of, tokens);
  }
}

const isRated = ({ requestsPerMinute, tokensPerMinute, concurrentRequests }: Restrictions): boolean =>
  (requestsPerMinute ?? tokensPerMinute ?? concurrentRequests) !== undefined;
