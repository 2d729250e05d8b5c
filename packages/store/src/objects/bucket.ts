import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { S3Client } from "@aws-sdk/client-s3";
import { checkBucket } from "./check-options.ts";
import { contentDisposition } from "./disposition.ts";
import { guard, ObjectFault } from "./fault.ts";
import { assertKey, assertMediaType, assertTerms, isObjectKey } from "./key.ts";
import { measure } from "./measure.ts";
import { OBJECT_LIMIT, type Objects } from "./objects.ts";

/** The bucket of `openBucket`, and how it is reached. */
export interface BucketOptions {
  /** The bucket's name; it must exist. */
  bucket: string;
  /** The region for which requests are signed: `eu-central-1`; compatible stores often take `auto`. */
  region: string;
  /** The store's address. Default: the region's. */
  endpoint?: string;
  /** The address in links, if clients reach the store by another one. */
  publicEndpoint?: string;
  /** Default: from the environment, files or the machine's role, as the client library finds them. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle?: boolean;
  /** A prefix of every key, so that the bucket can be shared: `manifold/`. */
  prefix?: string;
  /** The most bytes of one object. Default: 1 GiB. */
  limit?: number;
  /** The clock, in Unix milliseconds. */
  now?: () => number;
}

/** The bytes of one part; each upload keeps two parts in memory. */
const PART = 8 * 1024 * 1024;
const CONNECT_MS = 5_000;
const ANSWER_MS = 60_000;

/**
 * Objects in an S3-compatible bucket, with links that the bucket itself serves. Rejects if it cannot be reached, and with a
 * `TypeError` that names the options that are wrong.
 */
export async function openBucket(options: BucketOptions): Promise<Objects> {
  checkBucket(options);
  const { bucket: Bucket, prefix = "", limit = OBJECT_LIMIT, now = Date.now } = options;
  const [s3, { Upload }, { getSignedUrl }] = await loadClient();
  const connect = (endpoint: string | undefined): S3Client =>
    new s3.S3Client({
      region: options.region,
      forcePathStyle: options.pathStyle ?? false,
      // Not every compatible store supports checksum trailers.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
        socketTimeout: ANSWER_MS,
      },
      ...(endpoint !== undefined && { endpoint }),
      // A copy, since the client writes into it.
      ...(options.credentials && { credentials: { ...options.credentials } }),
    });
  const client = connect(options.endpoint);
  const linker = connect(options.publicEndpoint ?? options.endpoint);
  const close = async () => {
    client.destroy();
    linker.destroy();
  };
  try {
    await guard(() => client.send(new s3.HeadBucketCommand({ Bucket })));
  } catch (error) {
    await close();
    throw error;
  }

  const at = (key: string) => {
    assertKey(key);
    return { Bucket, Key: prefix + key };
  };

  return {
    async put(key, source, { mediaType, length }) {
      const measured = measure(source, limit, length);
      let failure: unknown;
      try {
        assertMediaType(mediaType);
        const upload = new Upload({
          client,
          params: {
            ...at(key),
            Body: readAhead(measured.chunks, (error) => (failure = error)),
            ContentType: mediaType,
          },
          queueSize: 1,
          partSize: PART,
        });
        await guard(() => upload.done());
        return measured.result();
      } catch (error) {
        // The caller gets the source's own error, not the library's wrapper of it.
        throw failure ?? error;
      } finally {
        measured.discard();
      }
    },

    async get(key, { range } = {}) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await absent(() => client.send(new s3.GetObjectCommand({ ...at(key), Range })));
      if (!found?.Body) return undefined;
      const stream = found.Body.transformToWebStream() as ReadableStream<Uint8Array>;
      const info = infoOf(key, found);
      const part = found.ContentRange && /^bytes (\d+)-(\d+)\/(\d+)$/.exec(found.ContentRange);
      if (!part) return { ...info, stream };
      const [start = 0, end = 0, size = 0] = part.slice(1).map(Number);
      return { ...info, size, stream, range: { start, end } };
    },

    async head(key) {
      const found = await absent(() => client.send(new s3.HeadObjectCommand(at(key))));
      return found && infoOf(key, found);
    },

    async remove(key) {
      await absent(() => client.send(new s3.DeleteObjectCommand(at(key))));
    },

    async *listOlder(than) {
      let token: string | undefined;
      do {
        const ContinuationToken = token;
        const page = await guard(() =>
          client.send(new s3.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken })),
        );
        for (const { Key, LastModified, Size = 0 } of page.Contents ?? []) {
          const key = Key?.slice(prefix.length) ?? "";
          const modified = LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
          // The bucket may contain other programs' objects.
          if (modified < than && isObjectKey(key)) yield { key, modified, size: Size };
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },

    async link(key, terms) {
      const from = now();
      assertTerms(key, terms, from);
      const seconds = Math.max(1, Math.floor((terms.expires - from) / 1000));
      const command = new s3.GetObjectCommand({
        ...at(key),
        ResponseContentType: terms.mediaType,
        ResponseContentDisposition: contentDisposition(terms.mediaType, terms.filename),
        ResponseCacheControl: `private, max-age=${seconds}`,
      });
      return guard(() => getSignedUrl(linker, command, { expiresIn: seconds, signingDate: new Date(from) }));
    },

    close,
  };
}

/**
 * Loads the client library, an optional peer that objects on disk do not need. It is the protocol's reference client:
 * smaller ones read XML by regular expressions or leave multipart uploads to their callers.
 */
async function loadClient() {
  try {
    return await Promise.all([
      import("@aws-sdk/client-s3"),
      import("@aws-sdk/lib-storage"),
      import("@aws-sdk/s3-request-presigner"),
    ]);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new ObjectFault("no_client") : error;
  }
}

/** Reads one chunk at a time, and reports an error of the source before the client library wraps it. */
function readAhead(chunks: AsyncIterable<Uint8Array>, report: (error: unknown) => void): Readable {
  async function* pass() {
    try {
      yield* chunks;
    } catch (error) {
      report(error);
      throw error;
    }
  }
  return Readable.from(pass(), { highWaterMark: 1 });
}

interface ObjectHead {
  ContentLength?: number | undefined;
  ContentType?: string | undefined;
  ETag?: string | undefined;
  LastModified?: Date | undefined;
}

const infoOf = (key: string, head: ObjectHead) => ({
  key,
  size: head.ContentLength ?? 0,
  mediaType: head.ContentType ?? "application/octet-stream",
  etag: head.ETag ?? '""',
  modified: head.LastModified?.getTime() ?? 0,
});

/** Turns the bucket's "no such key" into `undefined`. */
async function absent<T>(effect: () => Promise<T>): Promise<T | undefined> {
  try {
    return await effect();
  } catch (error) {
    if (error instanceof ObjectFault) throw error;
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    if (name === "NoSuchKey" || name === "NotFound") return undefined;
    throw new ObjectFault($metadata?.httpStatusCode === 416 ? "bad_range" : "unavailable", error);
  }
}
