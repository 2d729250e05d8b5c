import { Slots } from "@manifold-gateway/providers/routing";
import { ownerOf } from "../access/authenticate.ts";
import { Refusal } from "../http/refusal.ts";
import type { Caller } from "../ports/access.ts";
import type { Streams } from "../ports/bounds.ts";

/** Limits a key to `most` streams. The sessions of one account share a limit. */
export function createStreams(most: number): Streams {
  const slots = new Slots({ each: most });
  return {
    take(caller) {
      const slot = slots.take(ownerOf(caller));
      if (!slot) throw tooManyStreams(caller, most);
      return () => slots.release(slot);
    },
  };
}

const tooManyStreams = ({ keyId }: Caller, most: number): Refusal =>
  new Refusal(
    "too_many_streams",
    `The limit of open streams of this ${keyId === undefined ? "account" : "API key"}, ${most}, is reached. Try again when one has ended.`,
    { headers: { "retry-after": "1" } },
  );
