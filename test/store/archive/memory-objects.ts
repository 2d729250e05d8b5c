import { createHash } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import type { Objects } from "@manifold-gateway/store";

/** Objects in memory, whose bytes a test can change. */
export interface MemoryObjects extends Objects {
  readonly files: Map<string, Uint8Array>;
  /** Called before each object is stored; may throw, as a store does whose disk is full. */
  beforePut: (key: string) => void;
}

export function memoryObjects(): MemoryObjects {
  const files = new Map<string, Uint8Array>();
  const objects: MemoryObjects = {
    files,
    beforePut: () => {},
    async put(key, source) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of source instanceof Uint8Array ? [source] : source) chunks.push(chunk);
      objects.beforePut(key);
      const bytes = Buffer.concat(chunks);
      files.set(key, bytes);
      return { size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    async get(key) {
      const bytes = files.get(key);
      if (!bytes) return undefined;
      const facts = { key, size: bytes.byteLength, mediaType: "application/zstd", etag: '""', modified: 0 };
      return { ...facts, stream: ReadableStream.from([bytes]) as ReadableStream<Uint8Array> };
    },
    head: async () => undefined,
    remove: async (key) => void files.delete(key),
    async *listOlder() {},
    link: async () => "",
    close: async () => {},
  };
  return objects;
}
