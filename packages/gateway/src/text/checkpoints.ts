import { logFailure } from "../http/fault.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import type { Work } from "./reply.ts";

/** The shortest time between two checkpoints of one stream, in milliseconds: each is a write. */
const EVERY = 1_000;

/**
 * Saves the usage of a running stream, so that it can be charged if this process dies. Nothing waits for a checkpoint,
 * and the stream goes on if one fails.
 */
export function checkpoints(
  { id, services, began }: Context<"log" | "steady">,
  { generation, price }: Pick<Work, "generation" | "price">,
  used: () => Outcome["usage"] | undefined,
): () => void {
  let last = began;
  return () => {
    const at = services.steady();
    if (at - last < EVERY) return;
    last = at;
    const usage = used();
    if (!usage) return;
    generation.checkpoint(usage, price).catch((error: unknown) => {
      logFailure(services.log, error, { request: id }, "checkpoint not written");
    });
  };
}
