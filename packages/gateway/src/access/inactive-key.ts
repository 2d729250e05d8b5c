import type { Caller } from "../ports/access.ts";

/** A key that is disabled, or whose account is. */
export class InactiveKey extends Error {
  /** The key's account and id, for records. */
  readonly caller: Pick<Caller, "accountId" | "keyId">;

  constructor(caller: InactiveKey["caller"]) {
    super("the key is not active");
    this.caller = caller;
  }
}
