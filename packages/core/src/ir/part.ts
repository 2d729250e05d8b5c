import type { Json, JsonObject } from "../json/json.ts";

/** The names of the protocols that the library speaks: JSON languages for text generation on the wire. */
export const protocolNames = [
  "chatstyle",
  "responses",
  "msgstyle",
  "genstyle",
  "conversestyle",
  "native",
] as const;
/** The name of a protocol. */
export type Protocol = (typeof protocolNames)[number];

/**
 * Wire fields that the IR has no word for, kept under the protocol that said them. The same protocol writes
 * them back; for any other each becomes a loss.
 */
export interface Extra {
  protocol: Protocol;
  fields: JsonObject;
  /** Fields that are the protocol's own bookkeeping: they mean nothing elsewhere, so omitting them is not a loss. */
  internal?: readonly string[];
  /** Fields that hold the unread remainder of a record whose other members were read. */
  partial?: readonly string[];
}

/** A signature or encrypted state that only its own protocol can read. Opaque: never trimmed, parsed or merged. */
export interface Seal {
  /** The name of one of the library's protocols; of any other its `facts.letter`. */
  protocol: Protocol;
  value: string;
}

/** Marks the end of a prefix that upstream should cache. */
export interface CacheMark {
  ttl?: "5m" | "1h";
}

/** Evidence for a span of a text part. Offsets count UTF-16 units within the part. */
export interface Citation {
  url?: string;
  title?: string;
  /** The passage of the source that is cited. */
  quote?: string;
  start?: number;
  end?: number;
  /** The wire's own citation, for the protocol that said it. */
  raw?: { protocol: Protocol; value: Json };
}

export interface TokenLogprob {
  token: string;
  logprob: number;
  bytes?: number[];
  top?: { token: string; logprob: number; bytes?: number[] }[];
}

export interface TextPart {
  type: "text";
  text: string;
  /** The model declined, and this is what it said instead. */
  refusal?: true;
  citations?: Citation[];
  logprobs?: TokenLogprob[];
  cache?: CacheMark;
  extra?: Extra;
}

/**
 * The model's thoughts. `text` may be empty beside a seal: hidden reasoning, or a seal that came alone. Never merged
 * into visible text.
 */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  /** The vendor withheld the text; the seal stands for it. */
  redacted?: true;
  seal?: Seal;
  extra?: Extra;
}

/** A model's wish to use a tool. */
export interface CallPart {
  type: "call";
  id: string;
  name: string;
  /** JSON text as the model wrote it (`""` for none), or any text where the tool is `freeform`. */
  arguments: string;
  freeform?: true;
  seal?: Seal;
  cache?: CacheMark;
  extra?: Extra;
}

/** The answer given to a call. */
export interface ResultPart {
  type: "result";
  /** The id of the call. */
  id: string;
  /** The name of the function, where the wire gave it. */
  name?: string;
  parts: (TextPart | MediaPart | OpaquePart)[];
  /** The tool failed and `parts` say how. */
  failed?: true;
  freeform?: true;
  cache?: CacheMark;
  extra?: Extra;
}

export type Source =
  | { type: "base64"; mediaType: string; data: string }
  | { type: "url"; url: string; mediaType?: string }
  /** An upload that only the vendor behind `protocol` can read. */
  | { type: "file"; protocol: Protocol; id: string; mediaType?: string };

export const mediaKinds = ["image", "document", "audio", "video"] as const;

export interface MediaPart {
  type: "media";
  kind: (typeof mediaKinds)[number];
  source: Source;
  /** File name or title. */
  name?: string;
  detail?: "low" | "medium" | "high" | "auto" | "original";
  cache?: CacheMark;
  extra?: Extra;
}

/** A piece of content of one protocol that the IR has no word for: kept whole, in its place. */
export interface OpaquePart {
  type: "opaque";
  protocol: Protocol;
  value: Json;
  /** The text that other protocols get in its place, where it can be read. */
  instead?: (TextPart | MediaPart)[];
}

export type UserPart = TextPart | MediaPart | ResultPart | OpaquePart;
export type AssistantPart = TextPart | ReasoningPart | CallPart | MediaPart | OpaquePart;
export type Part = UserPart | AssistantPart;
