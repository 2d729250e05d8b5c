/** Slots that an owner has taken. */
export interface Slot<Owner = string> {
  /** The owner that it counts for, if any. */
  readonly owner: Owner | undefined;
  /** The number of slots; 0 once they are released. Changed only by `Slots`. */
  count: number;
}

/** The most slots that are taken at one time. Absent: any number. */
export interface SlotLimits<Owner> {
  /** The most of all owners together. */
  total?: number;
  /** The most of one owner. */
  each?: number | ((owner: Owner) => number);
}

/**
 * Counts what goes on at one time, in all and by owner: requests, streams, bytes in memory, pieces of work. What has no
 * owner counts only in the total. Work can wait for a slot; waiting owners take turns, however many pieces they have,
 * and an owner's pieces run in the order of their arrival.
 */
export class Slots<Owner = string> {
  readonly #total: number;
  readonly #each: number | ((owner: Owner) => number);
  /** The slots of each owner that has any. */
  readonly #byOwner = new Map<Owner, number>();
  /** Waiting work by owner. The owner that has waited longest comes first. */
  readonly #waiting = new Map<Owner, Set<(slot: Slot<Owner>) => void>>();
  #used = 0;

  constructor({ total = Number.POSITIVE_INFINITY, each = Number.POSITIVE_INFINITY }: SlotLimits<Owner>) {
    this.#total = total;
    this.#each = each;
  }

  /** The number of slots taken. */
  get count(): number {
    return this.#used;
  }

  /** The number of owners that have slots or wait for one; others take no memory. */
  get owners(): number {
    return new Set([...this.#byOwner.keys(), ...this.#waiting.keys()]).size;
  }

  /** The number of slots that an owner has taken. */
  countOf(owner: Owner): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** The number of pieces of an owner's work that wait for a slot. */
  waitingOf(owner: Owner): number {
    return this.#waiting.get(owner)?.size ?? 0;
  }

  /** The number of slots that an owner can take now. */
  room(owner?: Owner): number {
    const ofOwner =
      owner === undefined ? Number.POSITIVE_INFINITY : this.#eachOf(owner) - this.countOf(owner);
    return Math.max(0, Math.min(this.#total - this.#used, ofOwner));
  }

  /** The limit that keeps an owner from taking so many slots. Undefined if it can take them. */
  limitOf(owner: Owner | undefined, count = 1): "each" | "total" | undefined {
    if (owner !== undefined && this.countOf(owner) + count > this.#eachOf(owner)) return "each";
    return this.#used + count > this.#total ? "total" : undefined;
  }

  /** Takes slots until `release`. Undefined if a limit is reached. */
  take(owner?: Owner, count = 1): Slot<Owner> | undefined {
    const slot = { owner, count: 0 };
    return this.grow(slot, count) ? slot : undefined;
  }

  /** Takes further slots. False if a limit is reached: the number of slots is unchanged. */
  grow(slot: Slot<Owner>, count: number): boolean {
    if (this.limitOf(slot.owner, count)) return false;
    this.#add(slot, count);
    return true;
  }

  /** Gives slots back. Further calls do nothing. */
  release(slot: Slot<Owner>): void {
    if (slot.count === 0) return;
    this.#add(slot, -slot.count);
    if (this.#waiting.size > 0) this.admit();
  }

  /** Takes a slot in the owner's turn. Rejects with the signal's reason if it aborts before that. */
  enter(owner: Owner, signal?: AbortSignal): Promise<Slot<Owner>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const slot = this.take(owner);
      if (slot) return resolve(slot);
      const queue = this.#waiting.get(owner) ?? new Set();
      const enter = (slot: Slot<Owner>): void => {
        signal?.removeEventListener("abort", leave);
        resolve(slot);
      };
      const leave = (): void => {
        queue.delete(enter);
        if (queue.size === 0) this.#waiting.delete(owner);
        reject(signal?.reason);
      };
      this.#waiting.set(owner, queue.add(enter));
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Runs work in its owner's turn. Rejects with the signal's reason if it aborts before that. */
  async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slot = await this.enter(owner, signal);
    try {
      return await work();
    } finally {
      this.release(slot);
    }
  }

  /** Gives free slots to waiting work. To be called when a limit has grown. */
  admit(): void {
    for (const [owner, queue] of this.#waiting) {
      if (this.#used >= this.#total) return;
      const [enter] = queue;
      const slot = enter && this.take(owner);
      if (!slot) continue;
      queue.delete(enter);
      // The owner goes to the end of the queue, where this loop meets it again.
      this.#waiting.delete(owner);
      if (queue.size > 0) this.#waiting.set(owner, queue);
      enter(slot);
    }
  }

  #eachOf(owner: Owner): number {
    return typeof this.#each === "number" ? this.#each : this.#each(owner);
  }

  #add(slot: Slot<Owner>, count: number): void {
    const { owner } = slot;
    slot.count += count;
    this.#used += count;
    if (owner === undefined) return;
    const after = this.countOf(owner) + count;
    if (after > 0) this.#byOwner.set(owner, after);
    else this.#byOwner.delete(owner);
  }
}
