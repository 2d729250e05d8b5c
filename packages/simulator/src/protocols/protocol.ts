import type { SimulatedBatches } from "../batches/batches.ts";
import type { Reading, Reply } from "../content/request-content.ts";
import type { Usage } from "../content/tokens.ts";
import type { LedgerEntry } from "../ledger.ts";
import type { Studio } from "../media/studio.ts";
import type { Refusal } from "../refusal.ts";
import type { Outcome } from "../script/outcomes.ts";

/** The parts of a request besides its body. */
export interface Call {
  model: string;
  headers: Record<string, string>;
  /** Remembers what stateful protocols may refer back to. */
  memory: Map<string, unknown>;
}

/** One event of a streamed answer before it is framed. */
export interface Chunk {
  /** The name on the `event:` line, where the protocol has one. */
  event?: string;
  /** JSON, or a text that goes out as it is. */
  data: unknown;
  /** `content` carries some of the answer, `done` is the closing event. */
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
  reading: Reading;
  replies: Reply[];
  /** Left out when a fault says so. */
  usage: Usage | undefined;
  memory: Map<string, unknown>;
}

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** One vendor's manners, whatever the request: the keys it accepts, how it refuses. */
export interface Wire {
  name: string;
  /** The key a request carries, if any. */
  key(headers: Record<string, string>, query: URLSearchParams): string | undefined;
  /** The error shape of an HTTP answer, and of a stream that breaks off. */
  refuse(refusal: Refusal, hash: string): ErrorAnswer;
  breakOff(refusal: Refusal, sequence: number): Chunk;
}

/** One protocol, seen from the server's side. */
export interface Protocol<Body = unknown> extends Wire {
  /** The form of its streams. Default: server-sent events. */
  framing?: Framing;
  /** Refuses the body as the vendor would, or reads it. */
  read(body: unknown, call: Call): { body: Body; reading: Reading };
  write(exchange: Exchange<Body>): unknown;
  stream(exchange: Exchange<Body>): Chunk[];
  /** The answer of `GET /models`. */
  list(models: string[], created: number): unknown;
}

/** A protocol that keeps the type of its body to itself. */
export function defineProtocol<Body>(protocol: Protocol<Body>): Protocol {
  return protocol as unknown as Protocol;
}

export function bearer(headers: Record<string, string>): string | undefined {
  return headers.authorization?.match(/^Bearer\s+(\S+)$/i)?.[1];
}

/** The answer of an operation that generates nothing, such as counting or embedding. */
export interface Plain {
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
  /** The simulator's own, as the client called it. */
  origin: string;
  studio: Studio;
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

/** A media request that was found right. */
export interface AcceptedRequest {
  /** The text that may hold directives. */
  text: string;
  /** True if the answer streams. */
  stream?: boolean;
  /** Does the requested work, as the outcome wants it, with or without usage in the answer. */
  answer(outcome: Outcome, usage: boolean): MediaAnswer;
}

/** Refuses a media request as the vendor would, or says what it asks. */
export type Ask = (call: MediaCall) => AcceptedRequest;
