import type { UpstreamTerms } from "./terms.ts";
import type { UpstreamWire } from "./wires/index.ts";

/** The wire and the terms by which a draft is sent. */
export interface DraftTarget {
  wire: UpstreamWire;
  terms: UpstreamTerms;
}

/** An upstream batch before it is sent. Its lines have holds, and the provider does not know them yet. */
export class Draft {
  readonly id: string;
  readonly wire: UpstreamWire;
  readonly terms: UpstreamTerms;
  readonly beganAt: number;
  readonly requests: string[] = [];
  bytes = 0;
  /** The lines whose holds are being made. */
  readonly #joining = new Set<Promise<unknown>>();

  constructor(id: string, { wire, terms }: DraftTarget, at: number) {
    this.id = id;
    this.wire = wire;
    this.terms = terms;
    this.beganAt = at;
  }

  /** The number of lines, including those that are joining. */
  get size(): number {
    return this.requests.length + this.#joining.size;
  }

  /** Adds a line, whose hold is made by `hold`, which resolves to the request. */
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

  /** Resolves when each joining line has joined or failed. */
  async settled(): Promise<void> {
    while (this.#joining.size > 0) await Promise.allSettled(this.#joining);
  }
}
