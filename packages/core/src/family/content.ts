import type { Traits } from "../codec.ts";
import type { MediaPart, OpaquePart, TextPart } from "../ir/index.ts";
import type { Lose } from "../loss.ts";

/** What an encoder of a request has at hand everywhere. */
export interface Context {
  lose: Lose;
  traits: Traits;
}

/** What messages and results are made of, beside calls. */
export type ContentPart = TextPart | MediaPart | OpaquePart;
