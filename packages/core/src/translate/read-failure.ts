import { type Failure, kindOfStatus } from "../ir/failure.ts";
import { parseJson } from "../json/json.ts";
import type { AnyCodec } from "./translate.ts";

/** The most characters of a plain text that are a message. */
const ENOUGH = 500;
const CONTROL = /[\p{Cc}\ufffd]/u;

/**
 * Reads a provider's answer with an error status: a body of its protocol, or else a plain text. `undefined` if it gives
 * no reason, or if it is markup, which comes from a proxy.
 */
export function readFailure(codec: AnyCodec, status: number, text: string): Failure | undefined {
  const body = parseJson(text);
  if (typeof body === "object" && body !== null) return codec.failure.decode(status, body);
  const message = text.trim().replace(/\s+/g, " ").slice(0, ENOUGH);
  const isReadable = message !== "" && !message.startsWith("<") && !CONTROL.test(message);
  return isReadable ? { kind: kindOfStatus(status), status, message } : undefined;
}
