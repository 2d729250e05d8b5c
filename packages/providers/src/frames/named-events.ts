import { writeFrame } from "@manifold-gateway/core";
import { isObject, type JsonObject, type Machine, parseJson, textOf } from "@manifold-gateway/core/codec";
import { type BinaryFrame, BrokenFrame, readBinaryFrames } from "./binary.ts";

/** Converts binary frames that name the type of their event to server-sent events: records with the event under that name. */
export function namedEvents(): Machine<Uint8Array, string> {
  const frames = readBinaryFrames();
  return {
    step: (bytes) => frames.step(bytes).map(eventOf),
    end: () => frames.end().map(eventOf),
  };
}

const text = new TextDecoder();

function eventOf({ headers, payload }: BinaryFrame): string {
  const kind = headers[":message-type"];
  const json = text.decode(payload);
  if (kind === "exception" || kind === "error") {
    const body = parseJson(json);
    const record: JsonObject = isObject(body) ? body : {};
    const name = headers[":exception-type"] ?? headers[":error-code"] ?? "";
    const message = textOf(record.message) ?? headers[":error-message"] ?? "The provider gave no reason.";
    const type = name.endsWith("Exception") ? name : "internalServerException";
    return writeFrame(JSON.stringify({ [type]: { ...record, message } }));
  }
  const name = headers[":event-type"];
  if (name === undefined || !isObject(parseJson(json))) throw new BrokenFrame("a frame contains no event");
  // The text as it came, because reading numbers rounds long ones. Line ends occur only between members.
  return writeFrame(`{${JSON.stringify(name)}:${json.replace(/[\r\n]+/g, " ")}}`);
}
