import { ownerOf } from "../access/authenticate.ts";
import { Refusal } from "../http/refusal.ts";
import type { Flights } from "../ports/bounds.ts";

/** Limits the bytes of bodies in memory: `most` in all, `perKey` for one key or for the sessions of one account. */
export function createFlights({ most, perKey }: { most: number; perKey: number }): Flights {
  const by = new Map<string, number>();
  let all = 0;

  const take = (owner: string | undefined, bytes: number): void => {
    const ownerBytes = owner === undefined ? 0 : (by.get(owner) ?? 0) + bytes;
    if (ownerBytes > perKey)
      throw refusal(
        "too_many_bytes",
        `Request bodies of one API key may have at most ${perKey} bytes at one time.`,
      );
    if (all + bytes > most)
      throw refusal("server_busy", "The limit of request bodies in memory is reached. Try again soon.");
    all += bytes;
    if (owner !== undefined) by.set(owner, ownerBytes);
  };
  const give = (owner: string | undefined, bytes: number): void => {
    all -= bytes;
    if (owner === undefined) return;
    const left = (by.get(owner) ?? 0) - bytes;
    if (left > 0) by.set(owner, left);
    else by.delete(owner);
  };

  return {
    open(caller) {
      const owner = caller && ownerOf(caller);
      let taken = 0;
      let received = 0;
      const grow = (to: number): void => {
        if (to <= taken) return;
        take(owner, to - taken);
        taken = to;
      };
      return {
        reserve: grow,
        add(bytes) {
          received += bytes;
          grow(received);
        },
        end() {
          if (taken > 0) give(owner, taken);
          taken = 0;
        },
      };
    },
    heldFor: (caller) => by.get(ownerOf(caller)) ?? 0,
    keep(caller, bytes) {
      const owner = ownerOf(caller);
      if ((by.get(owner) ?? 0) + bytes > perKey / 2 || all + bytes > most / 2) return undefined;
      take(owner, bytes);
      return () => give(owner, bytes);
    },
  };
}

const refusal = (code: "too_many_bytes" | "server_busy", text: string): Refusal =>
  new Refusal(code, text, { headers: { "retry-after": "1", connection: "close" } });
