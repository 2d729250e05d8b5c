import type { SimulatedBatches } from "../batches/batches.ts";
import type { Reply, RequestContent } from "../content/request-content.ts";
import type { Usage } from "../content/tokens.ts";
import type { LedgerEntry } from "../ledger.ts";
import type { MediaStore } from "../media/media-store.ts";
import type { Refusal } from "../refusal.ts";
import type { Outcome } from "../script/outcomes.ts";

/** The parts of a request besides its body. */
export interface Call {
  model: string;
  headers: Record<string, string>;
  /** The earlier exchanges that requests of stateful protocols may refer to. */
  memory: Map<string, unknown>;
}

/** One event of a streamed answer before it is framed. */
export interface Chunk {
  /** The name on the `event:` line, where the protocol has one. */
  event?: string;
  /** JSON, or a text that is sent unchanged. */
  data: unknown;
  /** `content`: it has a part of the answer. `done`: it closes the stream. */
  part?: "content" | "done";
}

/** An answered request, on its way back to the wire. */
export interface Exchange<Body = unknown> {
  /** A hex digest of the request: every id of the answer derives from it. */
  hash: string;
  model: string;
  /** Unix seconds. */
  created: number;
  /** The length of the ids of calls, where the vendor's have one of their own and no prefix. */
  callIdLength?: number | undefined;
  body: Body;
  content: RequestContent;
  replies: Reply[];
  /** Absent if a fault removes it. */
  usage: Usage | undefined;
  memory: Map<string, unknown>;
}

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** What all requests to a vendor have in common: where the key is, and the form of errors. */
export interface Wire {
  name: string;
  /** The key a request carries, if any. */
  key(headers: Record<string, string>, query: URLSearchParams): string | undefined;
  /** The error as an HTTP answer; `streamError` is the event with which a stream breaks off. */
  refuse(refusal: Refusal, hash: string): ErrorAnswer;
  streamError(refusal: Refusal, sequence: number): Chunk;
}

/** One protocol, as a vendor's server implements it. */
export interface Protocol<Body = unknown> extends Wire {
  /** The form of its streams. Default: server-sent events. */
  framing?: Framing;
  /** Reads the body. Throws a refusal, as the vendor would, if it is invalid. */
  read(body: unknown, call: Call): { body: Body; content: RequestContent };
  write(exchange: Exchange<Body>): unknown;
  stream(exchange: Exchange<Body>): Chunk[];
  /** The answer of `GET /models`. */
  list(models: string[], created: number): unknown;
}

/** Hides the type of a protocol's body, so that protocols can be listed together. */
export function defineProtocol<Body>(protocol: Protocol<Body>): Protocol {
  return protocol as unknown as Protocol;
}

export function bearer(headers: Record<string, string>): string | undefined {
  return headers.authorization?.match(/^Bearer\s+(\S+)$/i)?.[1];
}

/** The answer of an operation that generates nothing, such as counting or embedding. */
export interface PlainAnswer {
  /** The text that may hold directives. */
  text: string;
  /** Input tokens. */
  input: number;
  /** What is billed instead of tokens, where that is so. */
  searchUnits?: number;
  /** The body to answer, with or without usage. */
  write(usage: boolean): unknown;
}

/** A request for media, or about media that was ordered before. */
export interface MediaCall extends Call {
  method: string;
  url: URL;
  /** The parameters in the path, by the names of its groups. */
  params: Record<string, string>;
  /** Parsed JSON, or the fields of a form, or nothing. */
  body: unknown;
  /** The body as it came. */
  bytes: Buffer;
  /** A hex digest of the request. */
  hash: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The simulator's origin, as the client wrote it. */
  origin: string;
  mediaStore: MediaStore;
  batches: SimulatedBatches;
  entry: LedgerEntry;
  /** The secret behind an access key. */
  secret(accessKey: string): string | undefined;
}

/** The form of an answer to a media request: JSON, a stream, or a file. */
export type MediaAnswer = { status?: number; headers?: Record<string, string>; usage?: Partial<Usage> } & (
  | { body: unknown }
  | { chunks: Chunk[]; framing: Framing }
  | { type: string; bytes: Buffer; done?: () => void }
);

/** The form in which chunks are written: server-sent events, one JSON array, an object a line, or binary frames. */
export type Framing = "events" | "array" | "lines" | "frames";

/** A valid media request. */
export interface AcceptedRequest {
  /** The text that may hold directives. */
  text: string;
  /** True if the answer streams. */
  stream?: boolean;
  /** Answers the request according to the outcome, with or without usage. */
  answer(outcome: Outcome, usage: boolean): MediaAnswer;
}

/** Reads a media request. Throws a refusal, as the vendor would, if it is invalid. */
export type MediaHandler = (call: MediaCall) => AcceptedRequest;
