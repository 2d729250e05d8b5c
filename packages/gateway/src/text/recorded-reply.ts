import type { Event } from "@manifold-gateway/core/ir";
import { type FoldedReply, hideSecrets, ReplyFold } from "@manifold-gateway/core/reply";
import { secretsOf } from "@manifold-gateway/providers";
import { logDefect } from "../http/fault.ts";
import type { ReplyText } from "../ports/billing.ts";
import type { Work } from "./reply.ts";

/**
 * Folds a reply for its record while it is forwarded: its bytes, or its events where it is translated. A defect in
 * folding is logged and affects nothing else.
 */
export class RecordedReply implements ReplyText {
  readonly #work: Pick<Work, "context" | "plan" | "head">;
  #fold: ReplyFold | undefined;

  constructor(work: Work, { most, unary }: { most: number; unary: boolean }) {
    const { context, plan } = work;
    const { protocols } = context.services;
    this.#work = { context, plan, head: work.head };
    this.#fold = new ReplyFold(plan.upstream, { most, unary, protocols, restore: plan.restore?.() });
  }

  push(bytes: Uint8Array): void {
    this.#attempt((fold) => fold.push(bytes));
  }

  /** Takes events in place of bytes. */
  readonly add = (events: readonly Event[]): void => {
    this.#attempt((fold) => fold.add(events));
  };

  text(): string | undefined {
    return this.#attempt((fold) => {
      this.#fold = undefined;
      const reply: FoldedReply | undefined = fold.end();
      return reply && hideSecrets(secretsOf(this.#work.plan.resolution.provider))(JSON.stringify(reply));
    });
  }

  #attempt<T>(act: (fold: ReplyFold) => T): T | undefined {
    if (!this.#fold) return undefined;
    try {
      return act(this.#fold);
    } catch (error) {
      this.#fold = undefined;
      const { context, head } = this.#work;
      logDefect(context.services.log, error, { request: context.id, generation: head.id });
      return undefined;
    }
  }
}
