import { ownerOf } from "../access/authenticate.ts";
import type { Refusal } from "../http/refusal.ts";
import type { Caller } from "../ports/access.ts";
import type { Take } from "../ports/bounds.ts";

/** Limits a key to `most` slots in this process. The sessions of one account share a limit. */
export function createPlaces(most: number, refuse: (caller: Caller, count: number) => Refusal): Take {
  const taken = new Map<string, number>();
  return (caller) => {
    const owner = ownerOf(caller);
    const before = taken.get(owner) ?? 0;
    if (before >= most) throw refuse(caller, before);
    taken.set(owner, before + 1);
    return () => {
      const after = (taken.get(owner) ?? 1) - 1;
      if (after > 0) taken.set(owner, after);
      else taken.delete(owner);
    };
  };
}
