import { createParser } from "eventsource-parser";
import type { Machine } from "../codec/machine.ts";
import { FrameTooLong } from "./frame-limit.ts";
import { holdStrayErrors, strayError } from "./stray-error.ts";

/** One server-sent event: its name, if any, and its data lines joined. */
export interface Frame {
  /** The name of the event, where it has one. */
  event?: string;
  /** Its data, lines joined. */
  data: string;
}

/** The name of a line's field and what parts it from its data: `data: `. */
const FIELD = 8;

/**
 * Bytes to frames by the rules of server-sent events: any line end, a byte order mark, comments, characters cut
 * between reads. An unterminated last event counts, because some upstreams close right after it. An error that stands
 * outside of the rules, as `error: {…}` or as bare JSON on a line, is a frame named `error`. Throws `FrameTooLong` at the
 * first event with more than `limit` characters, after the frames before it were returned.
 */
export function readFrames(limit = 2 * 1024 * 1024): Machine<Uint8Array, Frame> {
  const decoder = new TextDecoder("utf-8");
  let frames: Frame[] = [];
  let broken = false;
  const parser = createParser({
    maxBufferSize: limit + FIELD,
    onEvent: ({ event, data }) => {
      // An event that arrives whole is never buffered, so the parser's own limit does not see it.
      broken ||= data.length > limit;
      if (!broken) frames.push(event === undefined ? { data } : { event, data });
    },
    onError: ({ type, line = "" }) => {
      broken ||= type === "max-buffer-size-exceeded";
      const stray = type === "unknown-field" ? strayError(line) : undefined;
      if (stray !== undefined && !broken) frames.push({ event: "error", data: stray });
    },
  });
  const withWholeErrors = holdStrayErrors();
  const feed = (text: string): Frame[] => {
    if (!broken) parser.feed(withWholeErrors(text));
    if (broken && frames.length === 0) throw new FrameTooLong(limit);
    const out = frames;
    frames = [];
    return out;
  };
  return {
    step: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}
