import { writeFrame } from "@manifold-gateway/core";
import {
  isObject,
  type JsonObject,
  lookup,
  type Machine,
  parseJson,
  textOf,
} from "@manifold-gateway/core/codec";
import { fromBase64 } from "../transport/bytes.ts";
import { type BinaryFrame, BrokenFrame, readBinaryFrames } from "./binary.ts";

/** The errors of the messages protocol for exceptions within a stream. */
const errors: Readonly<Record<string, string>> = {
  throttlingException: "rate_limit_error",
  serviceUnavailableException: "overloaded_error",
  modelTimeoutException: "timeout_error",
  validationException: "invalid_request_error",
};

/** Converts binary frames that contain events of the messages protocol to server-sent events. */
export function messageEvents(): Machine<Uint8Array, string> {
  const frames = readBinaryFrames();
  return {
    step: (bytes) => frames.step(bytes).flatMap(eventOf),
    end: () => frames.end().flatMap(eventOf),
  };
}

const text = new TextDecoder();

function eventOf({ headers, payload }: BinaryFrame): string[] {
  const kind = headers[":message-type"];
  const body = parseJson(text.decode(payload));
  const record: JsonObject = isObject(body) ? body : {};
  if (kind === "exception" || kind === "error") {
    const name = headers[":exception-type"] ?? headers[":error-code"] ?? "";
    const message = textOf(record.message) ?? headers[":error-message"] ?? "The provider gave no reason.";
    const error = { type: lookup(errors, name) ?? "api_error", message };
    return [writeFrame(JSON.stringify({ type: "error", error }), "error")];
  }
  // Events of other types are not part of the answer.
  if (headers[":event-type"] !== "chunk") return [];
  const data = text.decode(fromBase64(textOf(record.bytes) ?? ""));
  const event = parseJson(data);
  const type = isObject(event) ? textOf(event.type) : undefined;
  if (type === undefined) throw new BrokenFrame("a chunk contains no event");
  // In JSON, line ends occur only between members, so they can be replaced.
  return [writeFrame(data.replace(/[\r\n]+/g, " "), type)];
}
