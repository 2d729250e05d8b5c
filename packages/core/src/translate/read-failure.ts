import type { AnyProvider } from "../codec/codec.ts";
import { type Failure, kindOfStatus } from "../ir/failure.ts";
import { parseBounded } from "../json/bounded.ts";
import { isObject } from "../json/json.ts";

/** The most characters of a plain text that are a message. */
const MAX_MESSAGE = 500;
const CONTROL = /[\p{Cc}\ufffd]/u;

/**
 * Reads a provider's answer with an error status: a body of its protocol, or else a plain text. `undefined` if it gives
 * no reason, or if it is markup, which comes from a proxy. `headers` are those of the answer, in lower case.
 */
export function readFailure(
  codec: Pick<AnyProvider, "failure">,
  status: number,
  text: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Failure | undefined {
  const { decode, header } = codec.failure;
  const body = parseBounded(text);
  const kind = header && headers[header.name];
  if (header && typeof kind === "string" && isObject(body))
    return decode(status, { [header.member]: kind, ...body });
  if (typeof body === "object" && body !== null) return decode(status, body);
  const message = text.trim().replace(/\s+/g, " ").slice(0, MAX_MESSAGE);
  const isReadable = message !== "" && !message.startsWith("<") && !CONTROL.test(message);
  return isReadable ? { kind: kindOfStatus(status), status, message } : undefined;
}
