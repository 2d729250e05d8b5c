import { type Slot, Slots } from "@manifold-gateway/providers/routing";
import { ownerOf } from "../access/authenticate.ts";
import { Refusal } from "../http/refusal.ts";
import type { BodyMemory, BodyUse } from "../ports/bounds.ts";

/** Limits the bytes of bodies in memory: `most` in all, `perKey` for one key or for the sessions of one account. */
export function createBodyMemory({ most, perKey }: { most: number; perKey: number }): BodyMemory {
  const bytes = new Slots({ total: most, each: perKey });
  return {
    open: (caller) => new CountedBody(bytes, perKey, caller && ownerOf(caller)),
    heldFor: (caller) => bytes.countOf(ownerOf(caller)),
    keep(caller, size) {
      const owner = ownerOf(caller);
      if (bytes.countOf(owner) + size > perKey / 2 || bytes.count + size > most / 2) return undefined;
      const slot = bytes.take(owner, size);
      return slot && (() => bytes.release(slot));
    },
  };
}

/** The body of one request, as the limits count it. */
class CountedBody implements BodyUse {
  readonly #bytes: Slots;
  readonly #perKey: number;
  readonly #slot: Slot;
  #received = 0;
  #isEnded = false;

  constructor(bytes: Slots, perKey: number, owner: string | undefined) {
    this.#bytes = bytes;
    this.#perKey = perKey;
    this.#slot = { owner, count: 0 };
  }

  reserve(size: number): void {
    // Bytes that arrive after the end are not counted, because nothing would subtract them again.
    if (this.#isEnded) return;
    const missing = size - this.#slot.count;
    if (missing <= 0 || this.#bytes.grow(this.#slot, missing)) return;
    throw this.#bytes.limitOf(this.#slot.owner, missing) === "each" ? tooManyBytes(this.#perKey) : busy();
  }

  add(size: number): void {
    this.#received += size;
    this.reserve(this.#received);
  }

  end(): void {
    this.#isEnded = true;
    this.#bytes.release(this.#slot);
  }
}

const refusal = (code: "too_many_bytes" | "server_busy", text: string): Refusal =>
  new Refusal(code, text, { headers: { "retry-after": "1", connection: "close" } });

const tooManyBytes = (perKey: number): Refusal =>
  refusal("too_many_bytes", `Request bodies of one API key may have at most ${perKey} bytes at one time.`);

const busy = (): Refusal =>
  refusal("server_busy", "The limit of request bodies in memory is reached. Try again soon.");
