import { fromBase64 } from "../../base64.ts";
import type { Machine } from "../../codec/machine.ts";
import type { Failure } from "../../ir/failure.ts";
import { type JsonObject, parseObject } from "../../json/json.ts";
import { readFrames } from "../../stream/read-frames.ts";
import type { SpeakEvent } from "./ir.ts";

/** The most characters of a frame or an object with audio. */
export const LONGEST_FRAME = 16 * 1024 * 1024;

/** The failure of a provider that made no audio, with its words for it if there are any. */
export const noAudio = (message = "The provider generated no audio."): Failure => ({
  kind: "server",
  status: 502,
  message,
});

/** A piece of audio in base64. One that cannot be read would leave a gap: it is a failure. */
export function pieceOf(base64: string): SpeakEvent {
  const bytes = fromBase64(base64);
  if (bytes) return { type: "audio", bytes };
  return { type: "failure", failure: noAudio("The provider's audio is not base64.") };
}

/** The same reader, for which an end without any audio is a failure. */
export function requireAudio(reader: Machine<Uint8Array, SpeakEvent>): Machine<Uint8Array, SpeakEvent> {
  let isEmpty = true;
  const check = (event: SpeakEvent): SpeakEvent => {
    isEmpty &&= event.type !== "address" && !(event.type === "audio" && event.bytes.length > 0);
    return event.type === "done" && isEmpty ? { type: "failure", failure: noAudio() } : event;
  };
  return { step: (bytes) => reader.step(bytes).map(check), end: () => reader.end().map(check) };
}

/** Reads the JSON objects of a stream of events. */
export function readEvents(): Machine<Uint8Array, JsonObject> {
  const frames = readFrames(LONGEST_FRAME);
  const read = (all: readonly { data: string }[]): JsonObject[] =>
    all.flatMap<JsonObject>(({ data }) => parseObject(data) ?? []);
  return { step: (bytes) => read(frames.step(bytes)), end: () => read(frames.end()) };
}
