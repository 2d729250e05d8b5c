import { createHash } from "node:crypto";
import { once } from "node:events";
import { pipeline, Readable } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress, type ZstdCompress } from "node:zlib";
import type { Objects } from "../objects/objects.ts";
import { ArchiveError } from "./error.ts";

/** A file of an archive: lines of JSON, compressed by zstd. */
export interface Part {
  /** The key of the object. */
  key: string;
  /** Its size in bytes. */
  bytes: number;
  /** The SHA-256 of its bytes. */
  sha256: string;
  lines: number;
}

/** The limits of a part in lines and characters, so that its file stays far below the size limit of an object. */
const MOST_LINES = 500_000;
const MOST_CHARACTERS = 512 * 1024 * 1024;

/** The length limit of a line in characters: no record comes near it. */
const LONGEST = 16 * 1024 * 1024;

/** The media type of a part. */
const ZSTD = "application/zstd";

const describe = (error: unknown): string => {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : (error as Error).message;
};

/** Writes lines into objects, one part after another. */
export class PartWriter {
  readonly parts: Part[] = [];
  readonly #objects: Objects;
  readonly #keyOf: (number: number) => string;
  readonly #mostLines: number;
  #open: { key: string; zstd: ZstdCompress; stored: Promise<{ size: number; sha256: string }> } | undefined;
  #lines = 0;
  #characters = 0;

  constructor(objects: Objects, keyOf: (number: number) => string, mostLines = MOST_LINES) {
    this.#objects = objects;
    this.#keyOf = keyOf;
    this.#mostLines = mostLines;
  }

  /** Adds lines, each of which ends with a line feed. */
  async write(lines: readonly string[]): Promise<void> {
    for (let rest = lines; rest.length > 0; ) {
      const room = this.#mostLines - this.#lines;
      await this.#add(rest.slice(0, room));
      rest = rest.slice(room);
    }
  }

  async #add(lines: readonly string[]): Promise<void> {
    const text = lines.join("");
    this.#open ??= this.#begin();
    const { zstd, stored } = this.#open;
    this.#lines += lines.length;
    this.#characters += text.length;
    // Also awaits the upload: if the object store fails, the compressed data is never taken, and `drain` never comes.
    if (!zstd.write(text)) await Promise.race([once(zstd, "drain"), stored.then(unexpected)]);
    if (this.#lines >= this.#mostLines || this.#characters >= MOST_CHARACTERS) await this.end();
  }

  /** Completes the last part. */
  async end(): Promise<void> {
    if (!this.#open) return;
    const { key, zstd, stored } = this.#open;
    zstd.end();
    const { size, sha256 } = await stored;
    this.parts.push({ key, bytes: size, sha256, lines: this.#lines });
    this.#open = undefined;
    this.#lines = 0;
    this.#characters = 0;
  }

  /** Discards the part that is being written. */
  abort(): void {
    this.#open?.zstd.destroy();
  }

  #begin() {
    const key = this.#keyOf(this.parts.length + 1);
    const zstd = createZstdCompress({
      params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 6 },
    });
    const stored = this.#objects.put(key, zstd, { mediaType: ZSTD }).catch((error: unknown) => {
      throw new ArchiveError(`${key} could not be stored: ${describe(error)}`, { cause: error });
    });
    stored.catch(() => {});
    return { key, zstd, stored };
  }
}

const unexpected = (): never => {
  throw new ArchiveError("the object store took a part before its end");
};

/** The bytes of an object. Throws `ArchiveError` if it is missing or cannot be read. */
export async function openObject(objects: Objects, key: string): Promise<AsyncIterable<Uint8Array>> {
  const found = await objects.get(key).catch((error: unknown) => {
    throw new ArchiveError(`${key} cannot be read: ${describe(error)}`, { cause: error });
  });
  if (!found) throw new ArchiveError(`${key} is missing`);
  return found.stream;
}

/**
 * Reads the lines of a part. After the last one, throws `ArchiveError` if the part's hash, size or number of lines
 * differs.
 */
export async function* readPart(
  objects: Objects,
  { key, bytes, sha256, lines }: Part,
): AsyncGenerator<string> {
  const digest = createHash("sha256");
  let size = 0;
  let count = 0;
  const source = await openObject(objects, key);
  async function* measured() {
    for await (const chunk of source) {
      digest.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  const decoder = new TextDecoder();
  let rest = "";
  try {
    const decompressed = pipeline(Readable.from(measured()), createZstdDecompress(), () => {});
    for await (const chunk of decompressed) {
      const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
      rest = parts.pop()!;
      count += parts.length;
      if (rest.length > LONGEST)
        throw new ArchiveError(`${key} is damaged: a line is longer than ${LONGEST}`);
      yield* parts;
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError(`${key} is damaged: ${describe(error)}`);
  }
  const hash = digest.digest("hex");
  if (size !== bytes || hash !== sha256)
    throw new ArchiveError(
      `${key} is damaged: it has ${size} bytes and the SHA-256 ${hash}, not ${bytes} and ${sha256}`,
    );
  if (rest !== "" || count !== lines)
    throw new ArchiveError(`${key} is damaged: it has ${count} lines, not ${lines}`);
}
