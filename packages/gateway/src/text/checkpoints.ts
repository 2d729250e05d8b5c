import { logFailure } from "../fault.ts";
import type { Generation } from "../generation/run.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";

/** The least time between two notes of one stream, in milliseconds: each is a write. */
const EVERY = 1_000;

/**
 * Notes what a stream has used so far, while it runs, so that it can be charged should this process die. Nothing waits for
 * the notes, and a stream goes on without them.
 */
export function checkpoints(
  { id, services, started }: Context,
  { checkpoint, price }: Pick<Generation<unknown>, "checkpoint" | "price">,
  used: () => Outcome["usage"] | undefined,
): () => void {
  let last = started;
  return () => {
    const at = services.now();
    if (at - last < EVERY) return;
    last = at;
    const usage = used();
    if (!usage) return;
    checkpoint(usage, price).catch((error: unknown) => {
      logFailure(services.log, error, { request: id }, "checkpoint not written");
    });
  };
}
