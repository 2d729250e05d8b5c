import type { Protocol } from "../ir/part.ts";
import type { JsonObject } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";
import { plainTextEdits, streamEdits } from "./edits.ts";

/** What a request is for. */
export type Operation =
  | "text"
  | "completion"
  | "fillInTheMiddle"
  | "count"
  | "embedding"
  | "rerank"
  | "moderation"
  | "speech"
  | "transcription"
  | "translation"
  | "image"
  | "imageEdit";

/** One endpoint of a wire. */
export interface WireEndpoint {
  /** The end of its path: of a path with a model's name, a colon and a verb. */
  end: string;
  /** The protocol that its clients speak. */
  protocol: Protocol;
  /** What its requests are for. */
  operation: Operation;
  /** Whether its answer is a stream. Default: as the body's `stream` says. */
  stream?: boolean;
  /** Members to change in a body that is forwarded to a provider of the same wire. */
  edits?(value: JsonObject): Edits;
}

/** The endpoints that clients call. Of two that fit a path, the first. */
export const endpoints: readonly WireEndpoint[] = [
  { end: "/chat/completions", protocol: "chatstyle", operation: "text", edits: streamEdits },
  { end: "/text/completions", protocol: "native", operation: "text", stream: true },
  { end: "/fim/completions", protocol: "chatstyle", operation: "fillInTheMiddle", edits: streamEdits },
  { end: "/completions", protocol: "chatstyle", operation: "completion", edits: streamEdits },
  { end: "/embeddings", protocol: "chatstyle", operation: "embedding", stream: false },
  { end: "/rerank", protocol: "chatstyle", operation: "rerank", stream: false },
  { end: "/moderations", protocol: "chatstyle", operation: "moderation", stream: false },
  { end: "/audio/speech", protocol: "chatstyle", operation: "speech", stream: false },
  { end: "/audio/transcriptions", protocol: "chatstyle", operation: "transcription" },
  { end: "/audio/translations", protocol: "chatstyle", operation: "translation" },
  { end: "/images/generations", protocol: "chatstyle", operation: "image" },
  { end: "/images/edits", protocol: "chatstyle", operation: "imageEdit" },
  { end: "/responses", protocol: "responses", operation: "text" },
  { end: "/responses/input_tokens", protocol: "responses", operation: "count", stream: false },
  { end: "/messages", protocol: "msgstyle", operation: "text" },
  { end: "/messages/count_tokens", protocol: "msgstyle", operation: "count", stream: false },
  {
    end: ":generateContent",
    protocol: "genstyle",
    operation: "text",
    stream: false,
    edits: plainTextEdits,
  },
  {
    end: ":streamGenerateContent",
    protocol: "genstyle",
    operation: "text",
    stream: true,
    edits: plainTextEdits,
  },
  { end: ":countTokens", protocol: "genstyle", operation: "count", stream: false, edits: plainTextEdits },
  { end: ":embedContent", protocol: "genstyle", operation: "embedding", stream: false },
  { end: ":batchEmbedContents", protocol: "genstyle", operation: "embedding", stream: false },
];
