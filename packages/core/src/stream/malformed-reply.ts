import { truncated } from "../ir/failure.ts";
import type { Observation } from "./observe.ts";

/** A provider's response that is not a reply of its protocol. */
export class MalformedReply extends Error {
  /** The text that came instead, as far as it is kept, without credentials; absent where it has no words. */
  readonly text: string | undefined;

  constructor(message = "The provider sent a response that could not be read.", text?: string) {
    super(message);
    this.text = text;
  }
}

/** Checks whether a unary body could not be read as a reply, not even as an error. */
export const isUnread = ({ failure }: Pick<Observation, "failure">): boolean =>
  failure?.message === truncated.message;
