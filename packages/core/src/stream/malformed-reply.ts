import { truncated } from "../ir/failure.ts";
import type { Observation } from "./observe.ts";

/** A provider's response that is not a reply of its protocol. */
export class MalformedReply extends Error {
  constructor(message = "The provider sent a response that could not be read.") {
    super(message);
  }
}

/** Checks whether a unary body could not be read as a reply, not even as an error. */
export const isUnread = ({ failure }: Pick<Observation, "failure">): boolean =>
  failure?.message === truncated.message;
