/** The reasons why an upstream call gave no readable answer. */
export type FaultKind =
  | "connect"
  | "token"
  | "timeout"
  | "reset"
  | "redirect"
  | "status_line"
  | "invalid_http"
  | "encoding"
  | "too_large"
  | "cancelled";

/** A failure of an upstream exchange below HTTP. Its message contains no address. */
export class UpstreamFault extends Error {
  /** What went wrong; stable, for programs. */
  readonly kind: FaultKind;
  /** Where a redirect leads, as the provider wrote it. */
  readonly location: string | undefined;
  constructor(kind: FaultKind, cause?: unknown, location?: string, text = texts[kind]) {
    super(text, { cause });
    this.kind = kind;
    this.location = location;
  }
}

const texts: Record<FaultKind, string> = {
  connect: "The provider could not be reached.",
  token: "The service could not get its token for the provider.",
  timeout: "The provider did not respond in time.",
  reset: "The provider closed the connection before its response was complete.",
  redirect: "The provider returned a redirect, which is never followed.",
  status_line: "The provider's response does not begin as one of HTTP does.",
  invalid_http: "The provider's response is not valid HTTP.",
  encoding: "The provider's response could not be decoded.",
  too_large: "The provider's response is larger than the limit.",
  cancelled: "The call was cancelled.",
};

const connectCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const HANDSHAKE = /^(ERR_TLS|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The codes of wrong calls by this program, which are defects. */
const misuse = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_INVALID_RETURN_VALUE",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);

/** True for the HTTP parser's errors, which have no code. */
const isOfParser = (error: unknown): error is Error =>
  error instanceof Error && error.name === "HTTPParserError";

/** The parser's messages for an answer without a valid HTTP status line. */
const STATUS_LINE =
  /Expected (?:HTTP\/|dot|space after version)|Invalid (?:HTTP|major|minor) version|Invalid (?:status code|response status|word)|statusCode >= 100/;

/**
 * Converts an error of the transport to an `UpstreamFault`. Network, TLS and HTTP errors have a code or are the
 * parser's; any other error, and one of a wrong call, is a defect and is returned unchanged.
 */
export function toFault(error: unknown): Error {
  if (error instanceof UpstreamFault) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (isOfParser(error) || code === "ERR_ASSERTION")
    return new UpstreamFault(STATUS_LINE.test(String(message)) ? "status_line" : "invalid_http", error);
  if (typeof code !== "string" || misuse.has(code))
    return error instanceof Error ? error : new Error(String(error));
  if (connectCodes.has(code) || HANDSHAKE.test(code)) return new UpstreamFault("connect", error);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT")
    return new UpstreamFault("timeout", error);
  return new UpstreamFault("reset", error);
}

/** The messages of `fetch` implementations for connections that were never made, if they give no code. */
const UNCONNECTED =
  /client error \(Connect\)|dns error|ConnectionRefused|FailedToOpenSocket|Unable to connect|connect\(\)/i;

/** What browsers say of every call that fails: they keep its cause from pages. */
const UNTOLD = /^(Failed to fetch|NetworkError when|Load failed)/;
const OF_A_PAGE = "The provider could not be reached, or does not let pages of this origin call it.";

/**
 * Converts an error of `fetch` to a fault. Unless the error shows that no connection was made, the request may have
 * arrived.
 */
export function toFetchFault(error: unknown): Error {
  if (error instanceof UpstreamFault) return error;
  const { code, cause, message } = (error ?? {}) as { code?: unknown; cause?: unknown; message?: unknown };
  const coded = [error, cause].find(
    (one) => isOfParser(one) || typeof (one as { code?: unknown } | undefined)?.code === "string",
  );
  if (UNCONNECTED.test(`${code} ${message}`)) return new UpstreamFault("connect", error);
  if (UNTOLD.test(`${message}`)) return new UpstreamFault("reset", error, undefined, OF_A_PAGE);
  const fault = coded === undefined ? undefined : toFault(coded);
  return fault instanceof UpstreamFault ? fault : new UpstreamFault("reset", error);
}
