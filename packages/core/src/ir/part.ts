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
 * Wire fields that the IR does not model, kept with the protocol that had them. The same protocol writes them back; for
 * any other each becomes a loss.
 */
export interface Extra {
  /** The protocol whose request or reply had these members. */
  protocol: Protocol;
  /** The members as they stood on the wire, by their names there. */
  fields: JsonObject;
  /**
   * Fields that are the protocol's own bookkeeping, or were read: omitting them is not a loss. A member of a `partial`
   * field is `field/member`.
   */
  internal?: readonly string[];
  /** Fields that hold the unread remainder of a record whose other members were read. */
  partial?: readonly string[];
}

/** A signature or encrypted state that only its own protocol can read. Opaque: never trimmed, parsed or merged. */
export interface Seal {
  /** The name of one of the library's protocols; of any other its `facts.letter`. */
  protocol: Protocol;
  /** The signature or the encrypted state, as the vendor wrote it. */
  value: string;
}

/** Marks the end of a prefix that upstream should cache. */
export interface CacheMark {
  /** How long the vendor should keep the prefix; absent: the vendor's usual time. */
  ttl?: "5m" | "1h";
}

/** Evidence for a span of a text part. Offsets count UTF-16 units within the part. */
export interface Citation {
  /** Address of the source. */
  url?: string;
  /** Title of the source. */
  title?: string;
  /** The passage of the source that is cited. */
  quote?: string;
  /** Where the cited span of the part begins. */
  start?: number;
  /** Where the span ends: the first unit after it. */
  end?: number;
  /** The wire's own citation, for the protocol that said it. */
  raw?: { protocol: Protocol; value: Json };
}

/** A generated token with the logarithm of its probability: `{ token: "Paris", logprob: -0.02 }`. */
export interface TokenLogprob {
  /** The token's text; a part of a character where `bytes` are needed to read it. */
  token: string;
  /** Natural logarithm of the probability: 0 is certain, and more negative less likely. */
  logprob: number;
  /** The token's bytes in UTF-8, each from 0 to 255. */
  bytes?: number[];
  /** The likeliest tokens in this place, likeliest first. */
  top?: { token: string; logprob: number; bytes?: number[] }[];
}

/** Visible text: `{ type: "text", text: "Hello" }`. */
export interface TextPart {
  type: "text";
  /** The text, without any markup of a wire. */
  text: string;
  /** The model declined, and this is what it said instead. */
  refusal?: true;
  /** Evidence for spans of `text`. */
  citations?: Citation[];
  /** One entry for each generated token, in order. */
  logprobs?: TokenLogprob[];
  /** Ends a prefix that the vendor should cache. */
  cache?: CacheMark;
  /** Members of the part that only its own protocol knows. */
  extra?: Extra;
}

/**
 * The model's thoughts. `text` may be empty beside a seal: hidden reasoning, or a seal that came alone. Never merged
 * into visible text.
 */
export interface ReasoningPart {
  type: "reasoning";
  /** The thoughts, or the vendor's summary of them. */
  text: string;
  /** The vendor withheld the text; the seal stands for it. */
  redacted?: true;
  /** The vendor's proof of these thoughts, which it needs back in the next turn. */
  seal?: Seal;
  /** Members of the part that only its own protocol knows. */
  extra?: Extra;
}

/** A model's request to use a tool. */
export interface CallPart {
  type: "call";
  /** Ties the call to its result; unique in a conversation. */
  id: string;
  /** The name of the tool. */
  name: string;
  /** JSON text as the model wrote it (`""` for none), or any text where the tool is `freeform`. */
  arguments: string;
  /** The tool takes free text instead of JSON. */
  freeform?: true;
  /** The vendor's proof of the thoughts that led to the call. */
  seal?: Seal;
  /** Ends a prefix that the vendor should cache. */
  cache?: CacheMark;
  /** Members of the call that only its own protocol knows. */
  extra?: Extra;
}

/** The result of a call. */
export interface ResultPart {
  type: "result";
  /** The id of the call. */
  id: string;
  /** The name of the function, where the wire gave it. */
  name?: string;
  /** The answer: text, media, or what only its own protocol can read. */
  parts: (TextPart | MediaPart | OpaquePart)[];
  /** The tool failed and `parts` say how. */
  failed?: true;
  /** The call was to a tool that takes free text. */
  freeform?: true;
  /** Ends a prefix that the vendor should cache. */
  cache?: CacheMark;
  /** Members of the result that only its own protocol knows. */
  extra?: Extra;
}

/** The place of a part's bytes: in the request, at an address, or with a vendor. */
export type Source =
  | {
      type: "base64";
      /** `image/png`. */
      mediaType: string;
      /** The bytes in base64, of either alphabet. */
      data: string;
    }
  | {
      type: "url";
      /** The address that the vendor fetches. */
      url: string;
      /** `image/png`, where the caller gave it. */
      mediaType?: string;
    }
  /** An upload that only the vendor behind `protocol` can read. */
  | {
      type: "file";
      /** The only protocol that can write it. */
      protocol: Protocol;
      /** The vendor's id of the upload. */
      id: string;
      /** `image/png`, where the caller gave it. */
      mediaType?: string;
    };

/** The kinds of media in a conversation. A `document` is a PDF or another file to read. */
export const mediaKinds = ["image", "document", "audio", "video"] as const;

/** An image, a document, a recording or a film, from the user, a tool or the model. */
export interface MediaPart {
  type: "media";
  /** What it is, by its media type. */
  kind: (typeof mediaKinds)[number];
  /** Where its bytes are. */
  source: Source;
  /** File name or title. */
  name?: string;
  /** How closely the model should look at an image; more detail costs more tokens. */
  detail?: "low" | "medium" | "high" | "auto" | "original";
  /** Ends a prefix that the vendor should cache. */
  cache?: CacheMark;
  /** Members of the part that only its own protocol knows. */
  extra?: Extra;
}

/** Content of one protocol that the IR does not model, kept whole and in its place. */
export interface OpaquePart {
  type: "opaque";
  /** The only protocol that can write the part. */
  protocol: Protocol;
  /** The part as it stood on the wire. */
  value: Json;
  /** The text that other protocols get in its place, where it can be read. */
  instead?: (TextPart | MediaPart)[];
}

/** A piece of a user's turn. */
export type UserPart = TextPart | MediaPart | ResultPart | OpaquePart;
/** A piece of a model's turn. */
export type AssistantPart = TextPart | ReasoningPart | CallPart | MediaPart | OpaquePart;
/** A piece of any turn: narrow it by `type`. */
export type Part = UserPart | AssistantPart;
