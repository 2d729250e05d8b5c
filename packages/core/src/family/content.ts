import type { Traits } from "../codec/traits.ts";
import type { MediaPart, OpaquePart, TextPart } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
}

/** The parts of messages and results, beside calls. */
export type ContentPart = TextPart | MediaPart | OpaquePart;
