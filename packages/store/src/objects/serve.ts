import type { ReadableStream } from "node:stream/web";
import { contentDisposition } from "./disposition.ts";
import { ObjectFault } from "./fault.ts";
import type { Links } from "./links.ts";
import type { ByteRange, ObjectInfo, Objects } from "./objects.ts";
import { readRange } from "./range.ts";

/** The relevant members of a request for an object. */
export interface ObjectRequest {
  method: string;
  headers: { get(name: string): string | null };
}

/** The presentation of an object. */
export interface Presentation {
  /** The media type, where it differs from the one that the object was stored with. */
  mediaType?: string | undefined;
  filename?: string | undefined;
  /** Seconds that a browser may keep it. */
  maxAge?: number | undefined;
}

/** An answer, or a refusal for the caller's envelope. Names of headers are in lower case. */
export type ObjectAnswer =
  | { ok: true; status: 200 | 206 | 304; headers: Record<string, string>; body?: ReadableStream<Uint8Array> }
  | { ok: false; status: 403 | 404 | 405 | 416; headers: Record<string, string>; message: string };

const refuse = (
  status: 403 | 404 | 405 | 416,
  message: string,
  headers: Record<string, string> = {},
): ObjectAnswer => ({ ok: false, status, message, headers });

const UNKNOWN = "There is no such file.";
const REFUSALS = {
  expired: "The link has expired; read the record again for a new one.",
  refused: "The link is not valid.",
};
/** Replaced while it was being answered, more often than chance would do it. */
const TRIES = 3;

/** Answers a request for one of our own links. `url` is the whole link, or its path and query. */
export async function serveLink(
  objects: Objects,
  links: Links,
  request: ObjectRequest & { url: string },
  now: number,
): Promise<ObjectAnswer> {
  if (!isRead(request.method)) return refuseMethod();
  const link = links.open(request.url, now);
  if (!link.ok) return refuse(403, REFUSALS[link.why]);
  const maxAge = Math.floor((link.expires - now) / 1000);
  return serveObject(objects, link.key, request, { ...link, maxAge });
}

/** Answers a request for an object that the caller may read: whole or one range, conditional, `GET` or `HEAD`. */
export async function serveObject(
  objects: Objects,
  key: string,
  request: ObjectRequest,
  presentation: Presentation = {},
): Promise<ObjectAnswer> {
  if (!isRead(request.method)) return refuseMethod();
  for (let tried = 0; tried < TRIES; tried++) {
    const info = await objects.head(key);
    if (!info) return refuse(404, UNKNOWN);
    const headers = headersOf(info, presentation);
    if (isUnchanged(request, info))
      return { ok: true, status: 304, headers: without(headers, "content-length") };
    if (request.method === "HEAD") return { ok: true, status: 200, headers };
    const range = wantedRange(request, info);
    if (range === "outside")
      return refuse(416, "The range lies outside the file.", { "content-range": `bytes */${info.size}` });
    const found = await objects.get(key, range && { range });
    if (!found) return refuse(404, UNKNOWN);
    if (found.etag === info.etag)
      return range
        ? { ok: true, status: 206, headers: { ...headers, ...rangeHeaders(range, info) }, body: found.stream }
        : { ok: true, status: 200, headers, body: found.stream };
    await found.stream.cancel();
  }
  throw new ObjectFault("unavailable");
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";
const refuseMethod = (): ObjectAnswer => refuse(405, "A file can only be read.", { allow: "GET, HEAD" });

function headersOf(info: ObjectInfo, { mediaType = info.mediaType, filename, maxAge = 0 }: Presentation) {
  return {
    "content-type": mediaType,
    "content-length": String(info.size),
    "content-disposition": contentDisposition(mediaType, filename),
    "accept-ranges": "bytes",
    etag: info.etag,
    "last-modified": new Date(info.modified).toUTCString(),
    "cache-control": `private, max-age=${Math.max(0, maxAge)}`,
    // Output of models and providers is untrusted: browsers must not sniff it, run it, or give it our origin.
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
  };
}

const rangeHeaders = ({ start, end }: ByteRange, { size }: ObjectInfo) => ({
  "content-length": String(end - start + 1),
  "content-range": `bytes ${start}-${end}/${size}`,
});

function isUnchanged({ headers }: ObjectRequest, { etag }: ObjectInfo): boolean {
  const known = headers.get("if-none-match");
  if (known === null) return false;
  if (known.trim() === "*") return true;
  return known.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

function wantedRange(
  { method, headers }: ObjectRequest,
  info: ObjectInfo,
): ByteRange | "outside" | undefined {
  if (method !== "GET") return undefined;
  const condition = headers.get("if-range");
  // A reader who holds part of something else gets the whole of what there is now.
  if (condition !== null && condition !== info.etag && !isSameDate(condition, info)) return undefined;
  return readRange(headers.get("range"), info.size);
}

const isSameDate = (text: string, { modified }: ObjectInfo): boolean =>
  text === new Date(modified).toUTCString();

function without(headers: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = headers;
  return rest;
}
