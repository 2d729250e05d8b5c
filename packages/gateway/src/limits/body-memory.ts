import { type Slot, Slots } from "@manifold-gateway/providers/routing";
import { ownerOf } from "../access/authenticate.ts";
import { Refusal } from "../http/refusal.ts";
import type { Flights } from "../ports/bounds.ts";

/** Limits the bytes of bodies in memory: `most` in all, `perKey` for one key or for the sessions of one account. */
export function createFlights({ most, perKey }: { most: number; perKey: number }): Flights {
  const bytes = new Slots({ total: most, each: perKey });
  return {
    open(caller) {
      const slot: Slot = { owner: caller && ownerOf(caller), count: 0 };
      let received = 0;
      let isEnded = false;
      const reserve = (size: number): void => {
        // The rest of a body that nothing reads any longer: it would be counted for good.
        if (isEnded) return;
        const missing = size - slot.count;
        if (missing <= 0 || bytes.grow(slot, missing)) return;
        throw bytes.limitOf(slot.owner, missing) === "each" ? tooManyBytes(perKey) : busy();
      };
      return {
        reserve,
        add(size) {
          received += size;
          reserve(received);
        },
        end() {
          isEnded = true;
          bytes.release(slot);
        },
      };
    },
    heldFor: (caller) => bytes.countOf(ownerOf(caller)),
    keep(caller, size) {
      const owner = ownerOf(caller);
      if (bytes.countOf(owner) + size > perKey / 2 || bytes.count + size > most / 2) return undefined;
      const slot = bytes.take(owner, size);
      return slot && (() => bytes.release(slot));
    },
  };
}

const refusal = (code: "too_many_bytes" | "server_busy", text: string): Refusal =>
  new Refusal(code, text, { headers: { "retry-after": "1", connection: "close" } });

const tooManyBytes = (perKey: number): Refusal =>
  refusal("too_many_bytes", `Request bodies of one API key may have at most ${perKey} bytes at one time.`);

const busy = (): Refusal =>
  refusal("server_busy", "The limit of request bodies in memory is reached. Try again soon.");
