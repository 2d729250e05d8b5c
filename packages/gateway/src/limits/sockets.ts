import { Slots } from "@manifold-gateway/providers/routing";
import { ownerOf } from "../access/authenticate.ts";
import { Refusal } from "../http/refusal.ts";
import type { Sockets } from "../ports/bounds.ts";

/** Counts open sockets, at most `most` for each key, and closes them at a stop. */
export function createSockets(most: number): Sockets {
  const slots = new Slots({ each: most });
  const closers = new Set<() => void>();
  return {
    take(caller) {
      const slot = slots.take(ownerOf(caller));
      if (!slot) throw tooManySockets(most);
      return () => slots.release(slot);
    },
    onStop(close) {
      closers.add(close);
      return () => void closers.delete(close);
    },
    stop() {
      for (const close of [...closers]) close();
    },
  };
}

const tooManySockets = (most: number): Refusal =>
  new Refusal(
    "too_many_sockets",
    `The limit of open WebSockets of this API key, ${most}, is reached. Close one first.`,
    { headers: { "retry-after": "1" } },
  );
