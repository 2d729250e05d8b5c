import type { ReadableStream } from "node:stream/web";

/** The sources that can be stored: bytes at hand, or bytes that come one chunk at a time. */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>;

/** Positions of a first and a last byte, both counted from 0 and both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The facts of a stored object that are known without reading it. */
export interface ObjectInfo {
  key: string;
  /** Bytes. */
  size: number;
  mediaType: string;
  /** Strong validator in its quotes: other bytes under the same key have another. */
  etag: string;
  /** Unix milliseconds of the last write. */
  modified: number;
}

/** A stored object being read. The reader takes the stream to its end or cancels it. */
export interface StoredObject extends ObjectInfo {
  stream: ReadableStream<Uint8Array>;
  /** The part that the stream holds, where a part was requested; its end is cut to the object's. */
  range?: ByteRange;
}

/** The facts of the bytes that are put. */
export interface PutOptions {
  mediaType: string;
  /** Bytes that must come, neither more nor fewer: an answer that was cut off is not stored. */
  length?: number | undefined;
}

/** The form and lifetime of a link. */
export interface LinkTerms {
  /** Unix milliseconds from which the link is refused; at most a day ahead. */
  expires: number;
  mediaType: string;
  /** The name under which a browser saves the file. */
  filename?: string | undefined;
}

/**
 * Archived outputs by key, on disk or in a bucket. Nothing is held whole in memory. Every method rejects with
 * `ObjectFault`; `put` also with whatever its source throws.
 */
export interface Objects {
  /** Stores an object, replacing what the key held. Until it resolves, readers see what was there before. */
  put(key: string, source: ByteSource, options: PutOptions): Promise<{ size: number; sha256: string }>;
  /** The object, or the part of it in `range`; `undefined` where the key holds nothing. */
  get(key: string, options?: { range?: ByteRange }): Promise<StoredObject | undefined>;
  head(key: string): Promise<ObjectInfo | undefined>;
  /** Resolves also where the key holds nothing. */
  remove(key: string): Promise<void>;
  /** Objects last written before `than` (Unix milliseconds), in no order. They may be removed meanwhile. */
  listOlder(than: number): AsyncIterable<{ key: string; modified: number; size: number }>;
  /** A URL that downloads the object without further credentials. The object need not exist. */
  link(key: string, terms: LinkTerms): Promise<string>;
  close(): Promise<void>;
}

/** Bytes of one object, where the deployment sets no other bound: 1 GiB. */
export const OBJECT_LIMIT = 1024 ** 3;

/** The longest life of a link: a day, in milliseconds. */
export const LINK_LIFE = 24 * 3600 * 1000;
