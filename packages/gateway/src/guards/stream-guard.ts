import type { HeldReply } from "@manifold-gateway/core/reply";
import type { GuardChecker } from "./checker.ts";
import { HeldText } from "./held-text.ts";

/** Has the texts of a streamed reply checked while it passes: sentence by sentence, and calls by whole arguments. */
export class StreamGuard {
  /** What the reply is written through. */
  readonly held = new HeldText();
  readonly #checker: GuardChecker;

  constructor(checker: GuardChecker) {
    this.#checker = checker;
    checker.announce();
  }

  get hasMasked(): boolean {
    return this.#checker.hasMasked;
  }

  /** True if a text waits for its check. */
  get isWaiting(): boolean {
    return this.held.waiting().length > 0;
  }

  /** Checks the waiting texts; returns what may then be sent. Throws a guard's refusal. */
  async release(reply: HeldReply): Promise<string> {
    let text = "";
    while (this.isWaiting)
      text += reply.release(this.held.release(await this.#checker.check(this.held.waiting())));
    return text;
  }
}
