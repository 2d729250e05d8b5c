import type { Machine } from "../../../codec/machine.ts";
import { type Json, type JsonObject, toArray, toObject, toText } from "../../../json/json.ts";
import type { TranscriptionEvent } from "../ir.ts";
import { decodeFields, readUsage, toSegment } from "./reply.ts";

const typeOf = (chunk: Json): string => toText(toObject(chunk).type);

/** Checks whether a chunk is an event of a vendor that names its events otherwise. */
export const isNamed = (chunk: Json): boolean => typeOf(chunk).startsWith("transcription.");

/** Reads such an event. */
export function readNamed(chunk: Json): TranscriptionEvent[] {
  // The model is named as its provider does.
  const { type, model: _, ...event } = toObject(chunk);
  switch (type) {
    case "transcription.text.delta":
      return [{ type: "delta", text: toText(event.text) }];
    case "transcription.segment":
      return [{ type: "segment", segment: toSegment(event) }];
    case "transcription.done":
      return [{ type: "done", reply: decodeFields(event) }];
    default:
      return [];
  }
}

const OBJECTS: readonly Json[] = ["transcription.chunk", "translation.chunk"];

/** Checks whether a chunk is one of the servers that stream a transcript as they stream completions. */
export const isPiece = (chunk: Json): boolean => OBJECTS.includes(toObject(chunk).object ?? null);

/** Reads such chunks. No event has the whole text; the end is that of the stream, if the model came to its own before. */
export function readPieces(): Machine<Json, TranscriptionEvent> {
  let text = "";
  let isFinished = false;
  let usage: ReturnType<typeof readUsage>;
  return {
    step(chunk) {
      const piece: JsonObject = toObject(chunk);
      usage = readUsage(piece.usage) ?? usage;
      const { delta, finish_reason } = toObject(toArray(piece.choices)[0]);
      isFinished ||= typeof finish_reason === "string";
      const more = toText(toObject(delta).content);
      text += more;
      return more === "" ? [] : [{ type: "delta", text: more }];
    },
    end: () => (isFinished ? [{ type: "done", reply: { text, ...(usage && { usage }) } }] : []),
  };
}
