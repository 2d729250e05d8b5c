import { each, type Machine } from "../../../codec/machine.ts";
import { extraFor, extraOf } from "../../../ir/extra.ts";
import { ignoreLosses } from "../../../ir/loss.ts";
import { compact, type Json, type JsonObject, textOf, toObject, toText } from "../../../json/json.ts";
import type { TranscriptionEvent, TranscriptSegment } from "../ir.ts";
import { isNamed, isPiece, readNamed, readPieces } from "./foreign-streams.ts";
import { decodeFields, readInBand, spokenSegment, toSegment, wholeFields } from "./reply.ts";
import { protocol } from "./request.ts";

const deltaFields = new Set(["type", "delta", "segment_id"]);

function read(chunk: Json): TranscriptionEvent[] {
  const { type, ...event } = toObject(chunk);
  switch (type) {
    case "transcript.text.delta": {
      const segment = textOf(event.segment_id);
      return [
        compact<TranscriptionEvent & { type: "delta" }>({
          type: "delta",
          text: toText(event.delta),
          ...(segment !== undefined && { segment }),
          ...extraOf(protocol, event, deltaFields),
        }),
      ];
    }
    case "transcript.text.segment":
      return [{ type: "segment", segment: toSegment(event) }];
    case "transcript.text.done":
      return [{ type: "done", reply: decodeFields(event) }];
    default:
      return type === "error" || event.error
        ? [{ type: "done", reply: { text: "", failure: readInBand(chunk) } }]
        : [];
  }
}

function write(event: TranscriptionEvent, at: number): JsonObject {
  switch (event.type) {
    case "delta":
      return {
        type: "transcript.text.delta",
        delta: event.text,
        ...(event.segment !== undefined && { segment_id: event.segment }),
        ...extraFor(protocol, event.extra, ignoreLosses, ""),
      };
    case "segment":
      return spokenSegment(event.segment as TranscriptSegment, at);
    case "done":
      return { type: "transcript.text.done", ...wholeFields(event.reply) };
  }
}

/** Streams of events with a `type` each, or in the forms of other servers. */
export const stream = {
  decode(): Machine<Json, TranscriptionEvent> {
    const pieces = readPieces();
    return {
      step: (chunk) =>
        isPiece(chunk) ? pieces.step(chunk) : isNamed(chunk) ? readNamed(chunk) : read(chunk),
      end: () => pieces.end(),
    };
  },
  isForeign: (chunk: Json): boolean => isPiece(chunk) || isNamed(chunk),
  encode(): Machine<TranscriptionEvent, JsonObject> {
    let segments = 0;
    return each((event) => [write(event, event.type === "segment" ? segments++ : 0)]);
  },
};
