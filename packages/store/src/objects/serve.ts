import type { ReadableStream } from "node:stream/web";
import { contentDisposition } from "./disposition.ts";
import { ObjectFault } from "./fault.ts";
import type { Links } from "./links.ts";
import type { ByteRange, ObjectInfo, Objects } from "./objects.ts";
import { readRange } from "./range.ts";

/** The members that matter of a request for an object. */
export interface ObjectRequest {
  method: string;
  headers: { get(name: string): string | null };
}

/** How an object is presented to a browser. */
export interface Presentation {
  /** The media type. Default: the stored one. */
  mediaType?: string | undefined;
  filename?: string | undefined;
  /** The seconds for which a browser may cache it. */
  maxAge?: number | undefined;
}

/** An answer, or a refusal for the caller's envelope. Header names are in lower case. */
export type ObjectAnswer =
  | {
      ok: true;
      /** 206 for a range, 304 if the caller has the object already. */
      status: 200 | 206 | 304;
      /** Media type, validator, length and caching; a 304 has no length. */
      headers: Record<string, string>;
      /** The bytes; absent for `HEAD` and 304. */
      body?: ReadableStream<Uint8Array>;
    }
  | {
      ok: false;
      /** 403: the link is expired or invalid. 405: neither `GET` nor `HEAD`. 416: the range lies outside. */
      status: 403 | 404 | 405 | 416;
      /** Those that the status demands: `allow`, `content-range`. */
      headers: Record<string, string>;
      /** The reason for the caller, without the object's key. */
      message: string;
    };

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
/** The tries for an object that is replaced while it is being read. */
const TRIES = 3;

/** Answers a request for a link of this service. `url` is the whole link, or its path and query. */
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

/** Answers a `GET` or `HEAD` request for a readable object, with conditions and a single range. */
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
    // Providers' output is untrusted: browsers must not sniff it, run it, or give it this service's origin.
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
  // A client that has part of another version gets the whole current object.
  if (condition !== null && condition !== info.etag && !isSameDate(condition, info)) return undefined;
  return readRange(headers.get("range"), info.size);
}

const isSameDate = (text: string, { modified }: ObjectInfo): boolean =>
  text === new Date(modified).toUTCString();

function without(headers: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = headers;
  return rest;
}
