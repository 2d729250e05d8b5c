import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readRange } from "../../../../packages/store/src/objects/range.ts";
import { listen } from "../../../support/listen.ts";
import { judge, type Owner } from "./signature.ts";

interface Kept {
  bytes: Buffer;
  mediaType: string;
  etag: string;
  modified: number;
}

interface Upload {
  key: string;
  mediaType: string;
  parts: Map<number, Buffer>;
}

/** A bucket that speaks enough of the S3 protocol, and answers nobody whose signature is not right. */
export interface BucketServer {
  address: string;
  objects: Map<string, Kept>;
  uploads: Map<string, Upload>;
  /** Bytes of bodies that arrived, and that were handed to the network. */
  counts: { received: number; sent: number };
  setNow(now: () => number): void;
  close(): Promise<void>;
}

/** Objects of one page of a list. */
const PAGE = 3;
const CHUNK = 64 * 1024;
const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
const xml = (tag: string, inner: string): string => `<?xml version="1.0"?><${tag}>${inner}</${tag}>`;

export async function startBucket(name: string, owner: Owner): Promise<BucketServer> {
  const objects = new Map<string, Kept>();
  const uploads = new Map<string, Upload>();
  const counts = { received: 0, sent: 0 };
  let now = Date.now;

  const server = createServer(async (request, response) => {
    try {
      await answer(request, response);
    } catch {
      response.destroy();
    }
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, (bytes) => {
      counts.received += bytes;
    });
    const { method = "", url: target = "" } = request;
    const headers = request.headers as Record<string, string | undefined>;
    const fail = (status: number, code: string) =>
      reply(status, { "content-type": "application/xml" }, xml("Error", `<Code>${code}</Code>`));
    const reply = (status: number, fields: Record<string, string>, text: string | Buffer = "") => {
      response.writeHead(status, { "content-length": String(Buffer.byteLength(text)), ...fields });
      response.end(method === "HEAD" ? "" : text);
    };
    // Requests are signed by the client library with the real time, links with the test's.
    const time = target.includes("X-Amz-Signature") ? now() : Date.now();
    const wrong = judge({ method, target, headers }, body, owner, time);
    if (wrong) return fail(403, wrong);
    const url = new URL(target, "http://bucket");
    const [, bucket, ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const query = url.searchParams;
    if (bucket !== name) return fail(404, "NoSuchBucket");
    if (key === "") return method === "HEAD" ? reply(200, {}) : reply(200, {}, list(query));

    const uploadId = query.get("uploadId") ?? "";
    const upload = uploads.get(uploadId);
    const mediaType = headers["content-type"] ?? "binary/octet-stream";
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { key, mediaType, parts: new Map() });
      return reply(200, {}, xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`));
    }
    if (uploadId !== "" && upload?.key !== key) return fail(404, "NoSuchUpload");
    if (upload && method === "PUT") {
      upload.parts.set(Number(query.get("partNumber")), body);
      return reply(200, { etag: `"${md5(body)}"` });
    }
    if (upload && method === "DELETE") {
      uploads.delete(uploadId);
      return reply(204, {});
    }
    if (upload && method === "POST") {
      const parts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
        upload.parts.get(Number(number)),
      );
      if (parts.some((part, at) => !part || (at < parts.length - 1 && part.length < 5 * 1024 * 1024)))
        return fail(400, "InvalidPart");
      const bytes = Buffer.concat(parts as Buffer[]);
      objects.set(key, {
        bytes,
        mediaType: upload.mediaType,
        etag: `"${md5(bytes)}-${parts.length}"`,
        modified: now(),
      });
      uploads.delete(uploadId);
      return reply(200, {}, xml("CompleteMultipartUploadResult", `<Key>${key}</Key>`));
    }
    if (method === "PUT") {
      objects.set(key, { bytes: body, mediaType, etag: `"${md5(body)}"`, modified: now() });
      return reply(200, { etag: `"${md5(body)}"` });
    }
    if (method === "DELETE") {
      objects.delete(key);
      return reply(204, {});
    }
    const kept = objects.get(key);
    if (!kept) return fail(404, "NoSuchKey");
    await send(kept, { method, headers, query }, response, counts);
  }

  function list(query: URLSearchParams): string {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, PAGE);
    const entries = page.map((key) => {
      const kept = objects.get(key);
      const modified = new Date(kept?.modified ?? 0).toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><Size>${kept?.bytes.length}</Size></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return xml("ListBucketResult", `<IsTruncated>${more}</IsTruncated>${next}${entries.join("")}`);
  }

  const { origin: address, close } = await listen(server);
  return {
    address,
    objects,
    uploads,
    counts,
    setNow: (clock) => {
      now = clock;
    },
    close,
  };
}

async function readBody(request: IncomingMessage, count: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    count(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(
  kept: Kept,
  {
    method,
    headers,
    query,
  }: { method: string; headers: Record<string, string | undefined>; query: URLSearchParams },
  response: ServerResponse,
  counts: { sent: number },
): Promise<void> {
  const range = readRange(headers.range ?? null, kept.bytes.length);
  if (range === "outside") {
    response.writeHead(416, { "content-range": `bytes */${kept.bytes.length}` }).end();
    return;
  }
  const bytes = range ? kept.bytes.subarray(range.start, range.end + 1) : kept.bytes;
  const named: [string, string | null][] = [
    ["content-type", query.get("response-content-type")],
    ["content-disposition", query.get("response-content-disposition")],
    ["cache-control", query.get("response-cache-control")],
  ];
  response.writeHead(range ? 206 : 200, {
    "content-type": kept.mediaType,
    "content-length": String(bytes.length),
    etag: kept.etag,
    "last-modified": new Date(kept.modified).toUTCString(),
    "accept-ranges": "bytes",
    ...(range && { "content-range": `bytes ${range.start}-${range.end}/${kept.bytes.length}` }),
    ...Object.fromEntries(named.filter(([, value]) => value !== null)),
  });
  function* chunks() {
    for (let at = 0; method !== "HEAD" && at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      counts.sent += chunk.length;
      yield chunk;
    }
  }
  await pipeline(Readable.from(chunks(), { highWaterMark: 1 }), response);
}
