import { DownloadFault } from "@manifold-gateway/providers";
import { type Asset, ObjectFault } from "@manifold-gateway/store";
import type { LeasedJob } from "./deps.ts";
import { keyOf } from "./keys.ts";
import { extensionOf, SNIFFED, sniff } from "./sniff.ts";

/** An output as its job keeps it. */
export interface Output {
  assetId: string;
  key: string;
  mediaType: string;
  size: number;
  /** The name under which it is saved. */
  filename: string;
}

/** The sources of an output. */
export type OutputSource =
  | { type: "bytes"; bytes: Uint8Array }
  | { type: "stream"; chunks: AsyncIterable<Uint8Array> }
  | { type: "url"; url: string }
  /** It was at hand when another worker had the job: it is where that worker stored it, if it came so far. */
  | { type: "stored" };

/** An output that is not the requested one; there is no use in fetching it again. */
export class BadOutput extends Error {
  override readonly name = "BadOutput";
}

/** An output that came with an answer, and went with the worker that had it. */
export class LostOutput extends Error {
  override readonly name = "LostOutput";
}

/** An output that is not there yet, or not just now. */
export class NotReady extends Error {
  override readonly name = "NotReady";
}

const kinds = { image: "Image", video: "Video", speech: "Audio" } as const;

/** The number of tries of steps that the caller cannot repeat: an address to be fetched, bytes to be stored. */
const TRIES = 3;

/** Stores an output, as it comes, under a key that follows from the job: again is the same. */
export async function archive(
  held: LeasedJob,
  source: OutputSource,
  index: number,
  said?: string,
): Promise<Output> {
  const { job, limits, objects, signal } = held;
  const fetch = held.fetchOutput ?? held.fetch;
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
    const { mediaType, chunks } = await identify(bytes, kind, said);
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
      const { stream, length } = await fetch(source.url, { limit: limits.output[kind], http: true, signal });
      return await put(stream, length);
    } catch (error) {
      const passes = source.type === "bytes" ? error instanceof ObjectFault : isPassing(error);
      if (!passes || tried >= TRIES || signal.aborted) throw error;
    }
}

/** The asset that an output is from now on. */
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

/** Another try may do. */
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

/** The type of what comes, by its first bytes, and all of it. Raw sound has no marks: there the word counts. */
async function identify(bytes: AsyncIterable<Uint8Array>, kind: keyof typeof kinds, said?: string) {
  const iterator = bytes[Symbol.asyncIterator]();
  const close = () => void iterator.return?.()?.then(undefined, () => {});
  let start: Uint8Array = new Uint8Array();
  while (start.byteLength < SNIFFED) {
    const next = await iterator.next();
    if (next.done) break;
    start = start.byteLength === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  const family = kind === "speech" ? "audio/" : `${kind}/`;
  const found = said === "audio/pcm" ? said : sniff(start);
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
