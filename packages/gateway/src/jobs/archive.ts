import { extensionOf, SNIFFED, sniff } from "@manifold-gateway/core/operations";
import { DownloadFault } from "@manifold-gateway/providers";
import { type Asset, ObjectFault } from "@manifold-gateway/store";
import { keyOf } from "./keys.ts";
import type { LeasedJob } from "./leased-job.ts";

/** An output in the result of its job. */
export interface Output {
  assetId: string;
  key: string;
  mediaType: string;
  size: number;
  /** The filename for downloads. */
  filename: string;
}

/** Where the bytes of an output come from. */
export type OutputSource =
  | { type: "bytes"; bytes: Uint8Array }
  | { type: "stream"; chunks: AsyncIterable<Uint8Array> }
  | { type: "url"; url: string }
  /** Another worker had the bytes. The output exists if that worker came to store it. */
  | { type: "stored" };

/** An output of the wrong kind: fetching it again would not help. */
export class BadOutput extends Error {
  override readonly name = "BadOutput";
}

/** An output that was contained in a provider's answer and was lost with the worker that received it. */
export class LostOutput extends Error {
  override readonly name = "LostOutput";
}

/** An output that is not available yet, or not at the moment. */
export class NotReady extends Error {
  override readonly name = "NotReady";
}

const kinds = { image: "Image", video: "Video", speech: "Audio" } as const;

/** The tries of steps that only this code can repeat: fetching from an address and storing bytes. */
const TRIES = 3;

/** Stores an output on arrival. The key follows from the job, so that repeating it overwrites the same object. */
export async function archive(
  { job, deps, signal }: LeasedJob,
  source: OutputSource,
  index: number,
  declaredType?: string,
): Promise<Output> {
  const { limits } = deps;
  const { objects, fetchOutput } = deps.files;
  const kind = job.kind as keyof typeof kinds;
  const assetId = `${job.id}-${index}`;
  const key = keyOf.output(job.accountId, assetId, job.createdAt);
  const toOutput = ({ mediaType, size }: { mediaType: string; size: number }): Output => ({
    assetId,
    key,
    mediaType,
    size,
    filename: `${assetId}.${extensionOf(mediaType)}`,
  });
  const put = async (bytes: AsyncIterable<Uint8Array>, length?: number): Promise<Output> => {
    const { mediaType, chunks } = await identify(bytes, kind, declaredType);
    const { size } = await objects.put(key, bounded(chunks, limits.output[kind], signal), {
      mediaType,
      length,
    });
    return toOutput({ mediaType, size });
  };
  if (source.type === "stream") return put(source.chunks);
  if (source.type === "stored") {
    const found = await objects.head(key);
    if (!found) throw new LostOutput("The output was lost before it was stored.");
    return toOutput(found);
  }
  for (let tried = 1; ; tried++)
    try {
      if (source.type === "bytes") return await put(once(source.bytes));
      const { stream, length } = await fetchOutput(source.url, {
        limit: limits.output[kind],
        http: true,
        signal,
      });
      return await put(stream, length);
    } catch (error) {
      const passes = source.type === "bytes" ? error instanceof ObjectFault : isPassing(error);
      if (!passes || tried >= TRIES || signal.aborted) throw error;
    }
}

/** The asset of a stored output. */
export const toAsset = ({ job }: LeasedJob, output: Output, at: number, seconds?: number): Asset => ({
  id: output.assetId,
  accountId: job.accountId,
  kind: "output",
  type: kinds[job.kind as keyof typeof kinds],
  state: "active",
  key: output.key,
  mediaType: output.mediaType,
  size: output.size,
  ...(seconds !== undefined && { millis: Math.round(seconds * 1000) }),
  jobId: job.id,
  createdAt: at,
  updatedAt: at,
});

/** Checks whether another try may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof DownloadFault && (error.code === "download_failed" || error.code === "timeout");

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

async function* bounded(chunks: AsyncIterable<Uint8Array>, limit: number, signal: AbortSignal) {
  let size = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    size += chunk.byteLength;
    if (size > limit) throw new BadOutput("The provider's output is larger than the limit.");
    yield chunk;
  }
}

/**
 * Detects the media type from the first bytes, and returns all of the bytes. Raw audio has no header, so there the
 * stated type is used.
 */
async function identify(bytes: AsyncIterable<Uint8Array>, kind: keyof typeof kinds, declaredType?: string) {
  const iterator = bytes[Symbol.asyncIterator]();
  const close = () => void iterator.return?.()?.then(undefined, () => {});
  let start: Uint8Array = new Uint8Array();
  while (start.byteLength < SNIFFED) {
    const next = await iterator.next();
    if (next.done) break;
    start = start.byteLength === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  const family = kind === "speech" ? "audio/" : `${kind}/`;
  const found = declaredType === "audio/pcm" ? declaredType : sniff(start);
  if (start.byteLength === 0 || !found?.startsWith(family)) {
    close();
    throw new BadOutput("The provider's output is not a file of the requested kind.");
  }
  const chunks = (async function* (): AsyncGenerator<Uint8Array, void> {
    try {
      yield start;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      close();
    }
  })();
  return { mediaType: found, chunks };
}
