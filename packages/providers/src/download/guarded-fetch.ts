import { promises as dns, type LookupAddress } from "node:dns";
import { ReadableStream } from "node:stream/web";
import { any, array, assertOptions, number, object, optional, string } from "@manifold-gateway/core/schema";
import type { buildConnector } from "undici";
import type { UpstreamBody } from "../transport/upstream-body.ts";
import { type AddressGuard, createAddressGuard } from "./address-guard.ts";
import { DownloadFault } from "./download-fault.ts";
import type { ConnectOptions } from "./guarded-connector.ts";
import type { GuardedGet } from "./guarded-get.ts";
import { lookupInTurn } from "./lookup-in-turn.ts";

export interface GuardOptions {
  /** Address ranges to allow besides the public ones: `127.0.0.1/32`. */
  allow?: readonly string[];
  /** Origins that may have any address; a redirect to another origin is checked as usual. */
  trusts?: (origin: string) => boolean;
  /** The milliseconds to connect, including name lookup. */
  connect?: number;
  /** The most milliseconds of silence: until the headers, and between bytes. */
  idle?: number;
  /** The milliseconds for the whole download, from the first lookup to the last byte. */
  whole?: number;
  /** Certificates to trust instead of the usual ones, PEM. */
  ca?: string;
  /** All addresses of a name. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

/** The limits of one download. */
export interface DownloadOptions {
  /** The most bytes. */
  limit: number;
  /** True if plain HTTP is allowed. */
  http?: boolean;
  /** Ends the download. */
  signal?: AbortSignal;
}

/** A running download. The caller must read the stream to its end or cancel it. */
export interface Download {
  /** The server's claim, which may be wrong. */
  mediaType?: string;
  /** The server's claim of the size in bytes, which may be wrong. */
  length?: number;
  /** Fails with `DownloadFault`. */
  stream: ReadableStream<Uint8Array>;
}

/** Downloads a URL from a caller or a provider. Rejects with `DownloadFault`. */
export type GuardedFetch = (url: string, options: DownloadOptions) => Promise<Download>;

/** The runtime ends a longer timer at once. */
const time = optional(number({ min: 1, max: 2 ** 31 - 1 }));
const rules = object({
  allow: optional(array(string())),
  ...{ resolve: optional(any()), trusts: optional(any()), ca: optional(any()) },
  ...{ connect: time, idle: time, whole: time },
});

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 3;
const URL_LENGTH = 2_048;

const lookup = (hostname: string) => dns.lookup(hostname, { all: true });
/** Shared by all fetches of the process, as the threads are. */
const inTurn = lookupInTurn(lookup);

/**
 * A fetch that only reaches the public internet, wherever a URL, a redirect or a name points. It sends no credentials,
 * decompresses nothing, and limits the bytes and the time. Throws a `TypeError` that names the options that are wrong.
 */
export function createGuardedFetch(options: GuardOptions = {}): GuardedFetch {
  assertOptions("createGuardedFetch", rules, options);
  const { connect: timeout = 5_000, idle = 10_000, whole = 60_000, trusts = () => false } = options;
  const load = async () => {
    // Loaded with the first file, because not every runtime has such connections.
    const { createGuardedConnector } = await import("./guarded-connector.ts");
    const { createGuardedGet } = await import("./guarded-get.ts");
    const connectorOf = (guard: AddressGuard, system: ConnectOptions["resolve"]) =>
      createGuardedConnector({ guard, resolve: options.resolve ?? system, timeout, ca: options.ca });
    const guarded = connectorOf(createAddressGuard(options.allow), (hostname) =>
      inTurn(hostname, AbortSignal.timeout(timeout)),
    );
    // Names of trusted servers come from the operator, so they need not wait for those of callers.
    const trusting = connectorOf(() => true, lookup);
    const connector: buildConnector.connector = (to, callback) =>
      (trusts(`${to.protocol}//${to.host}`) ? trusting : guarded)(to, callback);
    return () => createGuardedGet(connector, idle);
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (text, { limit, http = false, signal }) => {
    loaded ??= load();
    const connect = await loaded.catch((error) => {
      throw new DownloadFault("download_failed", error);
    });
    // Each file has its own connections, so that an address allowed for one is never used for another.
    const { get, destroy } = connect();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new DownloadFault("timeout")), whole);
    const ended = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
    const finish = () => {
      clearTimeout(timer);
      destroy();
    };
    try {
      const url = readUrl(text, http);
      const { headers, body } = await unlessEnded(follow(get, url, http, ended), ended);
      const length = Number(headers["content-length"] ?? Number.NaN);
      if (length > limit) throw new DownloadFault("file_too_large");
      const mediaType = headers["content-type"];
      return {
        stream: readBody(body, limit, finish),
        ...(typeof mediaType === "string" && { mediaType }),
        ...(Number.isSafeInteger(length) && { length }),
      };
    } catch (error) {
      finish();
      throw toDownloadFault(error);
    }
  };
}

/** Rejects when the signal aborts; a request that is still connecting ignores its signal. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, ended]);
}

function readUrl(text: string | URL, http: boolean, from?: URL): URL {
  const url = URL.parse(text, from?.href);
  if (!url || url.href.length > URL_LENGTH) throw new DownloadFault("address_refused");
  const secure = url.protocol === "https:";
  // A redirect must not lead from HTTPS to plain HTTP.
  const plain = http && url.protocol === "http:" && from?.protocol !== "https:";
  const port = url.port === "" ? 443 : Number(url.port);
  const usual = port === 443 || port === 80 || port >= 1024;
  if (!(secure || plain) || !usual || url.username !== "" || url.password !== "")
    throw new DownloadFault("address_refused");
  return url;
}

async function follow(get: GuardedGet, first: URL, http: boolean, signal: AbortSignal) {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const { status, headers, body } = await get(url, signal);
    const encoding = headers["content-encoding"];
    if (status === 200 && (encoding === undefined || encoding === "" || encoding === "identity"))
      return { headers, body };
    body.cancel();
    const location = headers.location;
    if (!REDIRECTS.has(status) || typeof location !== "string" || redirects === MOST_REDIRECTS)
      throw new DownloadFault("download_failed");
    url = readUrl(location, http, url);
  }
}

function readBody(body: UpstreamBody, limit: number, finish: () => void) {
  let size = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await body.next();
          if (!chunk) {
            finish();
            controller.close();
            return;
          }
          size += chunk.byteLength;
          if (size > limit) throw new DownloadFault("file_too_large");
          controller.enqueue(chunk);
        } catch (error) {
          finish();
          throw toDownloadFault(error);
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

const TIMEOUTS = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

function toDownloadFault(error: unknown): DownloadFault {
  if (error instanceof DownloadFault) return error;
  const { code = "" } = (error ?? {}) as { code?: string };
  return new DownloadFault(TIMEOUTS.has(code) ? "timeout" : "download_failed", error);
}
