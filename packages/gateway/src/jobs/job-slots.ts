import { Slots } from "@manifold-gateway/providers/routing";
import type { JobKind } from "@manifold-gateway/store";
import type { JobLimits } from "../ports/limits.ts";

/** The slots for the jobs of one process, limited in total and for each kind. */
export class JobSlots {
  readonly #all: Slots;
  readonly #byKind: Slots<JobKind>;

  constructor({ concurrency, atOnce }: Pick<JobLimits, "concurrency" | "atOnce">) {
    this.#all = new Slots({ total: concurrency });
    this.#byKind = new Slots({ each: (kind) => atOnce[kind] });
  }

  /** The number of free slots for a kind. */
  room(kind: JobKind): number {
    return Math.min(this.#all.room(), this.#byKind.room(kind));
  }

  /**
   * Takes slots for so many jobs, each of which may be of any of these kinds, until the returned function is called.
   * Undefined if not all of them are free.
   */
  take(kinds: readonly JobKind[], count = 1): (() => void) | undefined {
    if (kinds.some((kind) => this.room(kind) < count)) return undefined;
    const all = this.#all.take(undefined, count);
    const ofKinds = kinds.map((kind) => this.#byKind.take(kind, count));
    return () => {
      if (all) this.#all.release(all);
      for (const slot of ofKinds) if (slot) this.#byKind.release(slot);
    };
  }
}
