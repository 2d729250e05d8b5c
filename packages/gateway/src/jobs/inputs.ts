import { type JsonObject, parseObject } from "@manifold-gateway/core/codec";
import { type PartSource, sniff } from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import { DownloadFault } from "@manifold-gateway/providers";
import { LINK_LIFE } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import { askAt } from "./course.ts";
import { keyOf } from "./keys.ts";
import type { LeasedJob } from "./leased-job.ts";

/** An input that no provider can be sent. The caller has to correct it. */
export class BadInput extends Error {
  override readonly name = "BadInput";
  /** The code of the error, if it has one. */
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

interface Input {
  source: PartSource;
  /** JSON pointer into the caller's request. */
  at: string;
}

/**
 * Makes an input accessible to a provider. An asset becomes a link if links are public, otherwise bytes; with
 * `inline`, everything becomes bytes. Rejects with `BadInput`.
 */
export async function materialize<One extends Input>(
  held: LeasedJob,
  input: One,
  inline: boolean,
): Promise<One> {
  const { source, at } = input;
  if (source.type === "base64") return input;
  if (source.type === "url")
    return inline ? { ...input, source: await fetchInput(held, source.url, at) } : input;
  if (source.registered !== undefined) return input;
  const { store, files, limits } = held.deps;
  const asset = await store.assets.get({ id: source.id, accountId: held.job.accountId });
  if (asset?.expiredAt !== undefined) throw new BadInput(`${fieldOf(at)}: the asset has expired`);
  if (asset?.state !== "active" || !asset.key)
    throw new BadInput(`${fieldOf(at)}: the asset no longer exists`);
  const { key, mediaType = "application/octet-stream" } = asset;
  if (!inline && files.isPublic)
    return { ...input, source: { type: "url", url: await linkTo(held, key, mediaType) } };
  const stored = await files.objects.get(key);
  if (!stored) throw new BadInput(`${fieldOf(at)}: the asset no longer exists`);
  const data = await readAll(stored.stream, limits.input, at);
  return { ...input, source: { type: "base64", mediaType, data: data.toString("base64") } };
}

/** Creates a link by which a provider can fetch an object while the job goes on. */
export const linkTo = ({ deps, job }: LeasedJob, key: string, mediaType: string): Promise<string> =>
  deps.files.objects.link(key, {
    mediaType,
    expires: Math.min(deps.clock.now() + LINK_LIFE, job.deadline + deps.limits.link),
  });

/**
 * Returns a function that stores bytes and links to them, if links are public. The bytes are removed when the job
 * ends.
 */
export function publisher(held: LeasedJob, published: string[]) {
  const { isPublic, objects } = held.deps.files;
  if (!isPublic) return undefined;
  return async (bytes: Uint8Array, mediaType: string): Promise<string> => {
    const key = keyOf.input(held.job.id, published.length);
    published.push(key);
    await objects.put(key, bytes, { mediaType });
    return linkTo(held, key, mediaType);
  };
}

async function fetchInput({ deps, job, signal }: LeasedJob, url: string, at: string): Promise<PartSource> {
  const { input: limit } = deps.limits;
  try {
    const { stream } = await deps.files.fetch(url, { limit, http: true, signal });
    const data = await readAll(stream, limit, at);
    const mediaType = sniff(data);
    if (mediaType) return { type: "base64", mediaType, data: data.toString("base64") };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BadInput) throw error;
    if (error instanceof DownloadFault) throw new BadInput(`${fieldOf(at)}: ${error.message}`);
    // What fetches, or its host's own code, is at fault: the log has its words, which would tell the caller of our network.
    logFailure(deps.log, error, { job: job.id }, "job input not fetched");
    throw new BadInput(`${fieldOf(at)}: the file could not be fetched`);
  }
  throw new BadInput(`${fieldOf(at)}: the file has an unknown format`);
}

async function readAll(chunks: AsyncIterable<Uint8Array>, limit: number, at: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) throw new BadInput(`${fieldOf(at)}: the file is larger than ${limit} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Reads the request of a job, adapted to its present entry. */
export async function readAsk({ job, deps }: LeasedJob): Promise<object> {
  if (job.ask) return askAt(job, job.ask as JsonObject);
  const stored = job.attachment === undefined ? undefined : await deps.files.objects.get(job.attachment);
  if (!stored) throw new BadInput("The request is no longer stored.");
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored.stream) chunks.push(chunk);
  const ask: JsonObject | undefined = parseObject(Buffer.concat(chunks).toString());
  if (!ask) throw new BadInput("The request is no longer stored.");
  return askAt(job, ask);
}
