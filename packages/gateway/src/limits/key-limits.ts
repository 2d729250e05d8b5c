import { type Slot, Slots } from "@manifold-gateway/providers/routing";
import type { Restrictions, Store } from "@manifold-gateway/store";
import { ownerOf } from "../access/authenticate.ts";
import type { Place, Places } from "../ports/bounds.ts";
import { type RatedPlace, StoreCounter, tooManyAtOnce } from "./key-rates.ts";

/**
 * Limits a key to `most` running requests in this process; the sessions of one account share a limit. A key with
 * limits of its own is also counted in the store, together with the requests of other processes.
 */
export function createPlaces(store: Pick<Store, "keyRates">, most: number): Places {
  const running = new Slots({ each: most });
  const counter = new StoreCounter(store);
  return {
    enter(context, caller) {
      const slot = running.take(ownerOf(caller));
      if (!slot) throw tooManyAtOnce(most);
      const place = new RunningPlace(running, slot);
      const { keyId, restrictions: rates } = caller;
      if (keyId === undefined || !rates || !isRated(rates)) return place;
      return counted(place, counter, { context, keyId, rates, id: context.services.id() });
    },
  };
}

async function counted(place: Place, counter: StoreCounter, of: RatedPlace): Promise<Place> {
  try {
    await counter.enter(of);
  } catch (error) {
    place.end();
    throw error;
  }
  return new CountedPlace(place, counter, of);
}

/** A running request that only this process counts. */
class RunningPlace implements Place {
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
class CountedPlace implements Place {
  readonly #place: Place;
  readonly #counter: StoreCounter;
  readonly #of: RatedPlace;
  #isEnded = false;

  constructor(place: Place, counter: StoreCounter, of: RatedPlace) {
    this.#place = place;
    this.#counter = counter;
    this.#of = of;
  }

  reserve(tokens: number): Promise<void> {
    return this.#counter.reserve(this.#of, tokens);
  }

  async end(tokens = 0): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#place.end();
    await this.#counter.leave(this.#of, tokens);
  }
}

const isRated = ({ requestsPerMinute, tokensPerMinute, concurrentRequests }: Restrictions): boolean =>
  (requestsPerMinute ?? tokensPerMinute ?? concurrentRequests) !== undefined;
