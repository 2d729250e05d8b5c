import { readFrames } from "@manifold-gateway/core";
import type { Incoming } from "../api/reach.ts";

/** A passage or a word, and when it is said, in seconds. */
export interface Passage {
  text: string;
  start: number;
  end: number;
  speaker?: string | undefined;
}

/** A transcript, as far as it has come. */
export interface Transcript {
  text: string;
  language?: string | undefined;
  seconds?: number | undefined;
  segments?: Passage[] | undefined;
  words?: Passage[] | undefined;
}

interface Wire {
  type?: string;
  text?: string;
  delta?: string;
  language?: string;
  duration?: number;
  segments?: Passage[];
  words?: (Passage & { word: string })[];
  error?: { message?: string };
}

const toTranscript = ({ text = "", language, duration, segments, words }: Wire): Transcript => ({
  text,
  ...(language && { language }),
  ...(duration !== undefined && { seconds: duration }),
  ...(segments && { segments }),
  ...(words && { words: words.map(({ word, start, end }) => ({ text: word, start, end })) }),
});

/** What a transcript is after an event of its stream. */
export function withEvent(sofar: Transcript, event: Wire): Transcript {
  if (event.error) throw new Error(event.error.message ?? "The transcript broke off.");
  switch (event.type) {
    case "transcript.text.delta":
      return { ...sofar, text: sofar.text + (event.delta ?? "") };
    case "transcript.text.segment":
      return { ...sofar, segments: [...(sofar.segments ?? []), event as Passage] };
    case "transcript.text.done":
      return { ...sofar, text: event.text ?? sofar.text };
    default:
      return sofar;
  }
}

/** Reads a transcript in any of its forms, and reports a stream as it comes. */
export async function readTranscript(
  response: Incoming,
  report: (sofar: Transcript) => void,
): Promise<Transcript> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return toTranscript((await response.json()) as Wire);
  if (!type.startsWith("text/event-stream")) return { text: await response.text() };
  let sofar: Transcript = { text: "" };
  const frames = readFrames();
  const read = (events: readonly { data: string }[]): void => {
    for (const { data } of events) if (data !== "[DONE]") sofar = withEvent(sofar, JSON.parse(data) as Wire);
  };
  for await (const piece of response.pieces()) {
    read(frames.step(piece));
    report(sofar);
  }
  read(frames.end());
  return sofar;
}
