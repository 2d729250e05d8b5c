import type { ReadableStream } from "node:stream/web";

/** The sources that can be stored: bytes in memory, or chunks one after another. */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>;

/** The positions of the first and the last byte, counted from 0 and inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The metadata of a stored object. */
export interface ObjectInfo {
  key: string;
  /** The size in bytes. */
  size: number;
  mediaType: string;
  /** The strong validator, with its quotes: it changes with the bytes under the key. */
  etag: string;
  /** The time of the last write, in Unix milliseconds. */
  modified: number;
}

/** A stored object with its content. The caller must read the stream to its end or cancel it. */
export interface StoredObject extends ObjectInfo {
  stream: ReadableStream<Uint8Array>;
  /** The part that the stream contains, if a part was requested; its end is limited to the object's. */
  range?: ByteRange;
}

/** The metadata of an object to store. */
export interface PutOptions {
  mediaType: string;
  /** The exact number of bytes that must come, so that a truncated answer is not stored. */
  length?: number | undefined;
}

/** The form and lifetime of a link. */
export interface LinkTerms {
  /** The time from which the link is refused, in Unix milliseconds; at most a day ahead. */
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
  /** Stores an object, replacing any earlier one under the key. Until it resolves, readers see the earlier one. */
  put(key: string, source: ByteSource, options: PutOptions): Promise<{ size: number; sha256: string }>;
  /** The object, or its part in `range`; `undefined` if there is none under the key. */
  get(key: string, options?: { range?: ByteRange }): Promise<StoredObject | undefined>;
  /** The metadata without the content; `undefined` if there is none under the key. */
  head(key: string): Promise<ObjectInfo | undefined>;
  /** Removes an object; resolves even if there is none under the key. */
  remove(key: string): Promise<void>;
  /** Lists objects last written before `than` (Unix milliseconds), unordered. They may be removed while listing. */
  listOlder(than: number): AsyncIterable<{ key: string; modified: number; size: number }>;
  /** A URL that downloads the object without further credentials. The object need not exist. */
  link(key: string, terms: LinkTerms): Promise<string>;
  /** Ends connections; objects and links stay. */
  close(): Promise<void>;
}

/** The default limit of one object: 1 GiB. */
export const OBJECT_LIMIT = 1024 ** 3;

/** The longest lifetime of a link: a day, in milliseconds. */
export const LINK_LIFE = 24 * 3600 * 1000;
