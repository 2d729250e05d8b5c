import type { Json } from "../json/json.ts";
import type { Failure } from "./failure.ts";
import type {
  CallPart,
  Citation,
  MediaPart,
  OpaquePart,
  Protocol,
  ReasoningPart,
  Seal,
  TextPart,
  TokenLogprob,
} from "./part.ts";
import type { Finish } from "./reply.ts";
import type { Reported } from "./usage.ts";

/**
 * The first thing known of a part. Text, reasoning and arguments follow as deltas; media and opaque parts come whole.
 */
export type Opening =
  | Omit<TextPart, "text" | "citations" | "logprobs" | "cache">
  | Omit<ReasoningPart, "text">
  | Omit<CallPart, "arguments" | "cache">
  | MediaPart
  | OpaquePart;

/**
 * The IR's unit of a reply. `index` names a part, counted from 0 over the whole reply in order of opening; parts
 * may be open side by side. `choice` (default 0) is the alternative that a part or a finish belongs to.
 */
export type Event =
  | {
      type: "start";
      /** The vendor's id of the reply. */
      id?: string;
      /** The model that answers, by the vendor's name. */
      model?: string;
      /** Unix seconds. */
      created?: number;
    }
  | {
      type: "open";
      /** The number of the new part. */
      index: number;
      /** The alternative that it belongs to; default 0. */
      choice?: number;
      /** What is known of it from the start. */
      part: Opening;
    }
  | {
      type: "delta";
      /** The number of an open part. */
      index: number;
      /** The next piece of its text, thoughts or arguments. */
      text: string;
    }
  | {
      type: "cite";
      /** The number of an open part of text. */
      index: number;
      /** Evidence for a span of it. */
      citation: Citation;
    }
  | {
      type: "logprobs";
      /** The number of an open part of text. */
      index: number;
      /** The next tokens of it. */
      tokens: TokenLogprob[];
    }
  | {
      type: "close";
      /** The number of the part that is complete. */
      index: number;
      /** The vendor's proof of the part, which it needs back in the next turn. */
      seal?: Seal;
    }
  /**
   * Cumulative: the last one counts. One without counts takes back the ones before: the provider's figures are
   * malformed.
   */
  | ({ type: "usage" } & Reported)
  | ({
      type: "finish";
      /** The alternative that ended; default 0. */
      choice?: number;
    } & Finish)
  | {
      type: "failure";
      /** The error that ends the reply: no other event follows. */
      failure: Failure;
    }
  /** Something said outside any part. */
  | {
      type: "opaque";
      /** The only protocol that can write it. */
      protocol: Protocol;
      /** The chunk or the member as it stood on the wire. */
      value: Json;
    };
