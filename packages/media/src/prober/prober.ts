import type { Probe, ProbeFailure } from "../types.ts";
import type { PoolOptions } from "./pool.ts";
import type { MediaSource } from "./source.ts";
import type { Answer } from "./worker.ts";

/** Probes files in threads of its own: see `createProber`. */
export interface Prober {
  /**
   * Probes a file in another thread. Bytes are copied and must not change before the answer. A file that breaks the
   * limits is a failure; the promise rejects only for what is not the file's fault: a path that cannot be opened, a
   * prober that is closed.
   */
  probe(source: MediaSource): Promise<Probe | ProbeFailure>;
  /** Ends the threads; running probes are rejected. */
  close(): Promise<void>;
}

const FILE = new URL("./worker.ts", import.meta.url);
/** The build rewrites file names in import statements only, so this name takes the extension of this file. */
const script = (): URL => (import.meta.url.endsWith(".ts") ? FILE : new URL(FILE.href.replace(/ts$/, "js")));

/** Base64 is decoded here, which is fast: as text it would count against the heap of the thread. */
function toTask(source: MediaSource): Exclude<MediaSource, { base64: string }> {
  if ("path" in source) return source;
  const bytes = source instanceof Uint8Array ? source : Buffer.from(source.base64, "base64");
  // A part of a buffer would be sent with all the rest of it.
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/**
 * Probes files in threads, each within a deadline (5 s by default) and a heap (64 MB by default), so that no file
 * can hold up or bring down the process.
 */
export function createProber(options: Partial<PoolOptions> = {}): Prober {
  // Not every runtime has threads, and not every program that can probe does.
  const start = async () => {
    const { createPool } = await import("./pool.ts");
    return createPool<MediaSource, Answer>(script(), {
      timeoutMs: 5000,
      heapMb: 64,
      workers: 2,
      ...options,
    });
  };
  let pool: ReturnType<typeof start> | undefined;
  let isClosed = false;
  return {
    async probe(source) {
      if (isClosed) throw new Error("the prober is closed");
      pool ??= start();
      const outcome = await (await pool).run(toTask(source));
      switch (outcome.type) {
        case "timeout":
          return { kind: "failure", code: "timeout", message: "The file took too long to read." };
        case "memory":
          return {
            kind: "failure",
            code: "unreadable_file",
            message: "The file takes too much memory to read.",
          };
        default:
          if ("thrown" in outcome.answer) throw outcome.answer.thrown;
          return outcome.answer.result;
      }
    },
    async close() {
      isClosed = true;
      await (await pool)?.close();
    },
  };
}
