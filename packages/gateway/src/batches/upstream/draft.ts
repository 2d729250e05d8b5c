import type { UpstreamTerms } from "./terms.ts";
import type { UpstreamWire } from "./wires/index.ts";

/** Where a draft is sent. */
export interface DraftTarget {
  wire: UpstreamWire;
  terms: UpstreamTerms;
}

/** A batch of a provider before it is sent. Its lines are held for, and not known to the provider. */
export class Draft {
  readonly id: string;
  readonly wire: UpstreamWire;
  readonly terms: UpstreamTerms;
  readonly beganAt: number;
  readonly requests: string[] = [];
  bytes = 0;
  /** The lines whose credit is being held. */
  readonly #joining = new Set<Promise<unknown>>();

  constructor(id: string, { wire, terms }: DraftTarget, at: number) {
    this.id = id;
    this.wire = wire;
    this.terms = terms;
    this.beganAt = at;
  }

  /** The lines that it has or will have. */
  get size(): number {
    return this.requests.length + this.#joining.size;
  }

  /** Adds a line once `hold` has resolved to its request. */
  async join(hold: () => Promise<string>): Promise<void> {
    const held = hold();
    this.#joining.add(held);
    try {
      const request = await held;
      this.requests.push(request);
      this.bytes += Buffer.byteLength(request);
    } finally {
      this.#joining.delete(held);
    }
  }

  /** Resolves when each line that was about to join has joined, or has failed to. */
  async settled(): Promise<void> {
    while (this.#joining.size > 0) await Promise.allSettled(this.#joining);
  }
}
