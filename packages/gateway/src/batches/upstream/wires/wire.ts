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
  /** Our own id of it, where the wire carries one. */
  name?: string;
  /** Its state, in the wire's word. */
  state: string;
  /** The provider answers no further request of it. */
  isOver: boolean;
  /** It has come to its regular end: each of its requests has a result. */
  isComplete: boolean;
  /** The paths of its results, below the base path. */
  results: readonly string[];
  /** The ids of its files: of the requests, the answers and the errors. */
  files: readonly string[];
  /** What is wrong with it as a whole, by the provider's code: its words may quote a request. */
  fault?: string;
}

/** A result: one line of a batch's results. */
export interface RemoteResult {
  /** The name of its request. */
  name: string;
  /** What the request alone would have been answered. Absent: the provider did not run it. */
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

/** The files of a wire whose batches have some. */
interface UpstreamFiles {
  /** The name under which the requests of a batch are uploaded. */
  nameOf(batch: string): string;
  /** Lists files, newest first. */
  list(after: string | undefined): WireCall;
  /** Reads a file of the list. `undefined` if it is none. */
  fileOf(value: JsonObject): RemoteFile | undefined;
  remove(id: string): WireCall;
}

/** The batches of one wire: pure functions to its calls, and from their answers. */
export interface UpstreamWire {
  /** The most requests of a batch. */
  readonly most: number;
  /** The time in which a provider runs a batch, in milliseconds. */
  readonly duration: number;
  /** One request of a batch, as JSON text. `path` is the one of the request alone, below the base path. */
  requestOf(name: string, body: string, path: string): string;
  /** Sends the requests before the batch is made, where the wire has them in a file. The answer has its id. */
  upload?(name: string, requests: readonly string[]): WireCall;
  /** Absent: a provider keeps no files of a batch. */
  readonly files?: UpstreamFiles;
  /** Makes a batch: of a file that was uploaded, or of the requests themselves. */
  create(batch: { name: string; path: string; file: string; requests: readonly string[] }): WireCall;
  /** Lists batches, newest first, if one can be found there by our own id. */
  list?(after: string | undefined): WireCall;
  read(id: string): WireCall;
  cancel(id: string): WireCall;
  /** Reads a batch. `undefined` if it is none. */
  batchOf(value: JsonObject): RemoteBatch | undefined;
  /** Reads a line of the results. `undefined` if it is none. */
  resultOf(text: string): RemoteResult | undefined;
}
