import { ENCODINGS, takesEncoding } from "../http/encodings.ts";
import { Refusal } from "../http/refusal.ts";
import type { ConsoleFile } from "../ports/console.ts";
import type { Answer, RequestContext } from "../ports/context.ts";

/**
 * The content security policy: everything comes from the service itself, except media, which may also come from blobs
 * and from the storage.
 */
const policyOf = (origin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${origin}`,
    `media-src 'self' blob:${origin}`,
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** The smallest encoding of a file that the client accepts. */
function formOf({ packed }: ConsoleFile, accepted: string | undefined): [string, Uint8Array] | undefined {
  for (const encoding of ENCODINGS) {
    const bytes = packed[encoding];
    if (bytes && takesEncoding(accepted, encoding)) return [encoding, bytes];
  }
  return undefined;
}

/** Answers with a file of the console. Other paths are screens: they get the page, which shows the screen itself. */
export function serveConsole({ exchange, services, params }: RequestContext<"console">): Answer {
  const { files, mediaOrigin } = services.console ?? {};
  if (!files) throw new Refusal("route_not_found", "This service has no console.");
  const path = params.path ?? "";
  const file = files.get(path) ?? (path.startsWith("assets/") ? undefined : files.get("index.html"));
  if (!file) throw new Refusal("route_not_found", "The console has no such file.");
  const form = formOf(file, exchange.header("accept-encoding"));
  const tag = `"${file.tag}${form ? `-${form[0]}` : ""}"`;
  const headers: Record<string, string> = {
    etag: tag,
    vary: "accept-encoding, origin",
    "cache-control": file.isLasting ? "public, max-age=31536000, immutable" : "no-cache",
    "content-security-policy": policyOf(mediaOrigin === undefined ? "" : ` ${mediaOrigin}`),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
  };
  if (exchange.header("if-none-match") === tag) return { status: 304, headers };
  return {
    headers: { "content-type": file.type, ...(form && { "content-encoding": form[0] }), ...headers },
    body: form ? form[1] : file.bytes,
  };
}
