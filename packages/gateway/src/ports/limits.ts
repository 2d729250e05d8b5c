import type { JobKind } from "@manifold/store";

/** Times in milliseconds, sizes in bytes. */
export interface JobLimits {
  /** Jobs that one process works on at one time. */
  concurrency: number;
  /** The same of one kind: the inputs and answers of images and speech are in memory meanwhile. */
  atOnce: Record<JobKind, number>;
  /** Jobs of one account that go on at one time, and identity assets of it that are being checked. */
  maxLiveJobs: number;
  pendingAssets: number;
  /** How long a worker has a job to itself before it has to say again that it lives. */
  lease: number;
  /** How long nothing is looked for where nothing is known to be due: others may have left something behind. */
  rest: number;
  /** The whole of a job, by kind; then it is given up. */
  deadline: Record<JobKind, number>;
  /** Between two polls: at first, and at most; each wait is `factor` times the one before. */
  poll: Record<JobKind, { initial: number; max: number; factor: number }>;
  /** How often a passing failure is met with another try, one after the other. */
  tries: number;
  /** The first wait after a passing failure, doubled with each, and the longest. */
  retry: { initial: number; max: number };
  /** An ask that is longer is kept in the object store. */
  ask: number;
  /** One input that is fetched or read to be sent inline. */
  input: number;
  /** One output, by kind. */
  output: Record<Exclude<JobKind, "asset">, number>;
  /** The outputs of one job. */
  outputs: number;
  /** How long links live that are handed to readers, and those that providers fetch inputs from. */
  link: number;
  /** How long archived outputs and identity assets are kept. */
  retention: number;
  /** How old a file is at least that is removed because it belongs to nothing; longer than any deadline. */
  grace: number;
}

/** Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** How many keys an account may have that are not revoked. */
  keys: number;
  /** The whole of one text generation. */
  generation: number;
  /** How long a generation goes on after its client left. */
  drain: number;
  /** How long a client may take nothing of an answer before its side is cut off; the generation goes on. */
  clientWriteTimeout: number;
  /** How long the first MiB of a request body may take; each further one may take an eighth of that. */
  clientBodyTimeout: number;
  /** Bytes of request bodies that are held at one time in one process, in all and of one key. */
  bodyBytes: number;
  bodyBytesPerKey: number;
  /** A whole upstream answer, and a whole stream. */
  answer: number;
  stream: number;
  /** How many requests of one key are under way at one time, in one process. */
  concurrentRequests: number;
  /** How many streams of one key run at one time, in one process. */
  streams: number;
  /** How often a key may have tokens counted in a minute, in one process. */
  counts: number;
  /** How many WebSockets of one key are open at one time, in one process. */
  webSockets: number;
  /** How long a WebSocket stays open on which nothing runs. */
  webSocketIdleTimeout: number;
}

/** What is held for where a request does not say what it will come to. */
export interface HoldFigures {
  /** Tokens of a picture, inline or by its address. */
  imageTokens: number;
  /** The most tokens of any other file; what is known only by its address or id is held at this. */
  fileTokens: number;
  /** Output tokens of an answer, where neither the request nor the model's entry sets a limit. */
  outputTokens: number;
  /** Calls of a hosted tool, where the request sets no limit. */
  toolCalls: number;
  /** Input tokens that a call of a hosted tool adds. */
  toolCallTokens: number;
}
