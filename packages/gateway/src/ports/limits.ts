import type { JobKind } from "@manifold-gateway/store";

/** Times in milliseconds, sizes in bytes. */
export interface JobLimits {
  /** Jobs that one process works on at one time. */
  concurrency: number;
  /** The same of one kind: the inputs and answers of images and speech are in memory meanwhile. */
  atOnce: Record<JobKind, number>;
  /** Jobs of one account that go on at one time, and identity assets of it that are being checked. */
  maxLiveJobs: number;
  pendingAssets: number;
  /** The time for which a worker has a job to itself before it has to renew its claim. */
  lease: number;
  /** The pause between searches where nothing is known to be due: other processes may have left work behind. */
  rest: number;
  /** The whole of a job, by kind; then it is given up. */
  deadline: Record<JobKind, number>;
  /** Between two polls: at first, and at most; each wait is `factor` times the one before. */
  poll: Record<JobKind, { initial: number; max: number; factor: number }>;
  /** The number of tries in a row after passing failures. */
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
  /** The lifetime of links that are handed to readers, and of those that providers fetch inputs from. */
  link: number;
  /** The time for which archived outputs and identity assets are kept. */
  retention: number;
  /** The least age of a file that is removed because it belongs to nothing; longer than any deadline. */
  grace: number;
}

/** Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** The number of keys that an account may have that are not revoked. */
  keys: number;
  /** The whole of one text generation. */
  generation: number;
  /** The time that a generation goes on after its client left. */
  drain: number;
  /** The time for which a client may read nothing of an answer before its side is cut off; the generation goes on. */
  clientWriteTimeout: number;
  /** The time that the first MiB of a request body may take; each further one may take an eighth of that. */
  clientBodyTimeout: number;
  /** Bytes of request bodies that are held at one time in one process, in all and of one key. */
  bodyBytes: number;
  bodyBytesPerKey: number;
  /** A whole upstream answer, and a whole stream. */
  answer: number;
  stream: number;
  /** The number of requests of one key that are under way at one time, in one process. */
  concurrentRequests: number;
  /** The number of streams of one key that run at one time, in one process. */
  streams: number;
  /** The number of times a minute that a key may have tokens counted, in one process. */
  counts: number;
  /** The number of WebSockets of one key that are open at one time, in one process. */
  webSockets: number;
  /** The time for which a WebSocket stays open on which nothing runs. */
  webSocketIdleTimeout: number;
}

/** Figures to hold by where a request does not state its limits. */
export interface HoldFigures {
  /** Tokens of a picture, inline or by its address. */
  imageTokens: number;
  /** The most tokens of any other file; what is known only by its address or id is held at this. */
  fileTokens: number;
  /** Output tokens of an answer, where neither the request nor the model's entry sets a limit. */
  outputTokens: number;
  /** Calls of a hosted tool, where the request sets no limit. */
  toolCalls: number;
  /** Input tokens that each call of a hosted tool adds. */
  toolCallTokens: number;
}
