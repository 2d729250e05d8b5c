import type { JsonObject } from "@manifold-gateway/core/codec";

/** A call to a provider; its path is below the base path of the protocol. */
export interface WireCall {
  method: "GET" | "POST" | "DELETE";
  path: string;
  /** The type of the body. Default: JSON. */
  type?: string;
  /** The body, in the order of its pieces. */
  body?: readonly string[];
}

/** A batch as a provider reports it. */
export interface RemoteBatch {
  /** The provider's id. */
  id: string;
  /** Our id, if the wire carries it. */
  name?: string;
  /** The state in the wire's own word. */
  state: string;
  /** True if the provider answers no further requests of the batch. */
  isOver: boolean;
  /** True if it ended regularly: each of its requests has a result. */
  isComplete: boolean;
  /** The paths of its results, below the base path. */
  results: readonly string[];
  /** The ids of its files: of the requests, the answers and the errors. */
  files: readonly string[];
  /**
   * The provider's code for a fault of the whole batch. The provider's sentence is left out, because it may quote a
   * request.
   */
  fault?: string;
}

/** A result: one line of a batch's results. */
export interface RemoteResult {
  /** The name of its request. */
  name: string;
  /** The answer that a single request would have got. Absent: the provider did not run it. */
  answer?: { status: number; body: string };
}

/** A file that a provider keeps. */
export interface RemoteFile {
  /** The provider's id. */
  id: string;
  name: string;
  /** When it was stored, in milliseconds since the epoch. */
  createdAt: number;
}

/** The list of files, on a wire whose batches have files. */
interface UpstreamFiles {
  /** The name under which the requests of a batch are uploaded. */
  nameOf(batch: string): string;
  /** Lists files, newest first. */
  list(after: string | undefined): WireCall;
  /** Reads a file of the list; `undefined` unless the value is one. */
  fileOf(value: JsonObject): RemoteFile | undefined;
}

/** The batches of one wire: pure functions that make its calls and read the answers. */
export interface UpstreamWire {
  /** The most requests of a batch. */
  readonly most: number;
  /** The time within which a provider runs a batch, in milliseconds. */
  readonly duration: number;
  /** One request of a batch, as JSON text. `path` is that of a single request, below the base path. */
  requestOf(name: string, body: string, path: string): string;
  /** Uploads the requests before the batch is created, if the wire has them in a file. The answer has the file's id. */
  upload?(name: string, requests: readonly string[]): WireCall;
  /** Absent if providers keep no files of batches. */
  readonly files?: UpstreamFiles;
  /** Creates a batch from an uploaded file or from the requests themselves. */
  create(batch: { name: string; path: string; file: string; requests: readonly string[] }): WireCall;
  /** Lists batches, newest first. Absent if the list does not have our ids. */
  list?(after: string | undefined): WireCall;
  read(id: string): WireCall;
  cancel(id: string): WireCall;
  /**
   * The calls that remove the texts of a batch that is over: the batch, or only its files where a provider removes no
   * batches. `id` is absent for a batch that was not created.
   */
  removals(batch: { id?: string; files: readonly string[] }): WireCall[];
  /** Reads a batch; `undefined` unless the value is one. */
  batchOf(value: JsonObject): RemoteBatch | undefined;
  /** Reads a line of the results; `undefined` unless it is a result. */
  resultOf(text: string): RemoteResult | undefined;
}
