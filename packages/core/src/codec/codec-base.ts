import type { Protocol } from "../ir/part.ts";
import type { Json } from "../json/json.ts";
import type { ParamTable } from "./params.ts";
import type { WireFacts } from "./wire-facts.ts";

/** What both halves of a codec have. */
export interface CodecBase {
  protocol: Protocol;
  /** One row per scalar parameter, read in both directions. */
  params: ParamTable;
  /** Facts about its requests for shared code. */
  facts: WireFacts;
  frame: {
    /** Checks whether a chunk ends the reply: it is held until the generation is settled. */
    last(chunk: Json): boolean;
    /** More may follow the chunk that `last` names; which was the last is only known when the stream is over. */
    more?: true;
  };
}

/** The closing line of the streams that have one; it travels as a chunk. */
export const DONE = "[DONE]";
