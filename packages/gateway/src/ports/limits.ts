import type { JobKind } from "@manifold-gateway/store";

/** Limits of jobs. Times in milliseconds, sizes in bytes. */
export interface JobLimits {
  /** Jobs of one process that take a step at the same time. */
  concurrency: number;
  /** The same for each kind: inputs and answers of images and speech are in memory during a step. */
  atOnce: Record<JobKind, number>;
  /** Running jobs of one account, and identity assets of it that are being checked. */
  maxLiveJobs: number;
  /** Identity assets of one account that are being checked. */
  pendingAssets: number;
  /** How long a worker has a job for itself before it must renew the lease. */
  lease: number;
  /** The pause between searches if no job is known to be due: another process may have left one behind. */
  rest: number;
  /** The time of a whole job, by kind, after which it fails. */
  deadline: Record<JobKind, number>;
  /** The pause between two polls: first `initial`, each time multiplied by `factor`, at most `max`. */
  poll: Record<JobKind, { initial: number; max: number; factor: number }>;
  /** Consecutive tries after passing errors. */
  tries: number;
  /** The first pause after a passing error, which doubles each time, and the longest. */
  retry: { initial: number; max: number };
  /** A longer request is stored as an object. */
  ask: number;
  /** An input that is fetched or read to be sent inline. */
  input: number;
  /** An output, by kind. */
  output: Record<Exclude<JobKind, "asset">, number>;
  /** Outputs of one job. */
  outputs: number;
  /** The lifetime of links, for readers and for providers that fetch inputs. */
  link: number;
  /** How long outputs and identity assets are stored. */
  retention: number;
  /** The age from which a file without an owner is removed; longer than any deadline. */
  grace: number;
}

/** Limits of the service. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Keys of one account that are not revoked. */
  keys: number;
  /** The duration of one text generation. */
  generation: number;
  /** How long a generation goes on after its client has left. */
  drain: number;
  /** How long a client may read nothing before it is disconnected; the generation goes on. */
  clientWriteTimeout: number;
  /** The time for the first MiB of a request body; each further MiB gets an eighth of it. */
  clientBodyTimeout: number;
  /** Request bodies in the memory of one process, in all and of one key. */
  bodyBytes: number;
  /** The share of `bodyBytes` that one key may take. */
  bodyBytesPerKey: number;
  /** A whole upstream answer, and a whole stream. */
  answer: number;
  /** Bytes of a whole upstream stream. */
  stream: number;
  /** Running requests of one key, in one process. */
  concurrentRequests: number;
  /** Running streams of one key, in one process. */
  streams: number;
  /** Token counts of one key in a minute, in one process. */
  counts: number;
  /** Open WebSockets of one key, in one process. */
  webSockets: number;
  /** How long an idle WebSocket stays open. */
  webSocketIdleTimeout: number;
}

/** Assumed figures for the hold of a request that does not state its limits. */
export interface HoldFigures {
  /** Tokens of an image, inline or by address. */
  imageTokens: number;
  /** The most tokens of any other file, and the figure for a file that is only known by its address or id. */
  fileTokens: number;
  /** Output tokens, if neither the request nor the model's entry has a limit. */
  outputTokens: number;
  /** Calls of a hosted tool, if the request has no limit. */
  toolCalls: number;
  /** Input tokens added by each call of a hosted tool. */
  toolCallTokens: number;
}

/** Limits of files and batches. Times in milliseconds, sizes in bytes. */
export interface BatchLimits {
  /** Batches that one process works on at the same time. */
  batches: number;
  /** Lines that one process runs at the same time, which its batches share. */
  lines: number;
  /** Running batches of one account. */
  liveBatches: number;
  /** How long a process has a batch for itself before it must renew the lease. */
  lease: number;
  /** The pause between searches if no batch is known to be due: another process may have left one behind. */
  rest: number;
  /** How long a process goes on with one batch while others wait for it. */
  turn: number;
  /** Tries of a line after errors that pass. */
  tries: number;
  /** How often a line is begun without an end, as by processes that die, before it ends by an error. */
  interruptions: number;
  /** The first pause after such an error, which doubles each time, and the longest. */
  retry: { initial: number; max: number };
  /** The time of a batch if it names none, and the longest that it may name. */
  window: { usual: number; longest: number };
  /** The lines of one file, and one of them. */
  fileLines: number;
  line: number;
  /** All files of one account. */
  accountFiles: number;
  /** How long files are kept. */
  retention: number;
  /** The batches that providers run by themselves. */
  upstream: {
    /** The bytes of lines that wait in memory to be sent, and the longest that one waits. */
    bytes: number;
    age: number;
    /** The shortest and the longest pause between two looks at a batch. */
    poll: { initial: number; max: number };
    /** The longest time of a call, and of the reading of results, which goes on from there at the next look. */
    call: number;
    results: number;
    /** How long a batch is looked for that a provider may have. */
    lost: number;
    /** How long after its time a batch is given up that does not end. */
    grace: number;
    /** How long the removal of a batch at its provider is tried. */
    removal: number;
  };
}
