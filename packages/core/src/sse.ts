import { createParser } from "eventsource-parser";
import type { Machine } from "./machine.ts";

/** One server-sent event: its name, if any, and its data lines joined. */
export interface Frame {
  event?: string;
  data: string;
}

/** A line longer than the limit: nothing after it can be trusted. */
export class FrameTooLong extends Error {
  constructor(limit: number) {
    super(`A line of the event stream is longer than ${limit} characters.`);
  }
}

/**
 * Bytes to frames by the rules of server-sent events: any line end, a byte order mark, comments, characters cut
 * between reads. An unterminated last event counts, because some upstreams close right after it.
 */
export function readFrames(limit = 2 * 1024 * 1024): Machine<Uint8Array, Frame> {
  const decoder = new TextDecoder("utf-8");
  let frames: Frame[] = [];
  let length = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => frames.push(event === undefined ? { data } : { event, data }),
  });
  const feed = (text: string): Frame[] => {
    if (text !== "") parser.feed(text);
    const out = frames;
    frames = [];
    // Only what has come since the last event can be part of a line that is too long.
    length = out.length > 0 ? 0 : length + text.length;
    if (length > limit) throw new FrameTooLong(limit);
    return out;
  };
  return {
    step: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}

/** The text of one event. Line ends inside the data never start a field of their own. */
export function writeFrame(data: string, event?: string): string {
  const body = /[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/).join("\ndata: ") : data;
  return event === undefined ? `data: ${body}\n\n` : `event: ${event}\ndata: ${body}\n\n`;
}
