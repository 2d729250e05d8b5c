import type { TranscriptionEvent, TranscriptionReply } from "./ir.ts";

/** The reply that events add up to; undefined if the stream broke off. */
export function foldTranscript(events: Iterable<TranscriptionEvent>): TranscriptionReply | undefined {
  const segments = [];
  for (const event of events) {
    if (event.type === "segment") segments.push(event.segment);
    else if (event.type === "done") return segments.length > 0 ? { segments, ...event.reply } : event.reply;
  }
  return undefined;
}

/** A whole reply as the events of a stream. */
export function unfoldTranscript(reply: TranscriptionReply): TranscriptionEvent[] {
  const { segments, ...rest } = reply;
  const spoken = segments?.some(({ speaker }) => speaker !== undefined);
  return [
    ...(spoken ? (segments ?? []) : []).map((segment) => ({ type: "segment", segment }) as const),
    ...(reply.text === "" ? [] : [{ type: "delta", text: reply.text } as const]),
    { type: "done", reply: spoken ? rest : reply },
  ];
}
