import type { Reply } from "@manifold-gateway/core/reply";
import { logFailure } from "../http/fault.ts";
import type { Work } from "./reply.ts";
import { usedBy } from "./settle.ts";

/** The shortest time between two checkpoints of one stream, in milliseconds: each is a write. */
const EVERY = 1_000;

/**
 * Saves the usage of a running stream, so that it can be charged if this process dies. Nothing waits for a checkpoint,
 * and the stream goes on if one fails.
 */
export class Checkpoints {
  readonly #work: Work;
  readonly #reply: Pick<Reply, "observation">;
  #last: number;

  constructor(work: Work, reply: Pick<Reply, "observation">) {
    this.#work = work;
    this.#reply = reply;
    this.#last = work.context.began;
  }

  /** Saves the usage so far, unless that was done a moment ago. */
  save(): void {
    const { context, generation, price } = this.#work;
    const { id, services } = context;
    const at = services.steady();
    if (at - this.#last < EVERY) return;
    this.#last = at;
    const { usage } = usedBy(this.#work, this.#reply.observation());
    if (!usage) return;
    generation.checkpoint(usage, price).catch((error: unknown) => {
      logFailure(services.log, error, { request: id }, "checkpoint not written");
    });
  }
}
