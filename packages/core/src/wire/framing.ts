import type { Codec } from "../codec/codec.ts";
import { COMMENT, writeFrame } from "../stream/write-frame.ts";

/** The form in which chunks are written to one caller. */
export interface Framing {
  /** The content type of the stream. */
  contentType: string;
  /** Writes one chunk, which is JSON text. */
  frame(data: string, event?: string): string;
  /** Text that shows that the stream goes on, and that clients skip. */
  keepAlive(): string;
  /** Closes the stream. */
  close(): string;
}

/** Server-sent events. */
export const eventStream = ({
  frame: { keepAlive = COMMENT },
}: {
  frame: Pick<Codec["frame"], "keepAlive">;
}): Framing => new EventStream(keepAlive);

/** A class, because open streams are many and an object of functions takes several times its memory. */
class EventStream implements Framing {
  readonly contentType = "text/event-stream";
  readonly frame = writeFrame;
  readonly #keepAlive: string;

  constructor(keepAlive: string) {
    this.#keepAlive = keepAlive;
  }

  keepAlive(): string {
    return this.#keepAlive;
  }

  close(): string {
    return "";
  }
}

/** One JSON array, written element by element: what the generate-content vendor streams without `alt=sse`. */
export function arrayStream(): Framing {
  let isOpen = false;
  let count = 0;
  /** The bracket that begins the array, if it was not written: some readers accept no space before it. */
  const open = (): string => {
    const bracket = isOpen ? "" : "[";
    isOpen = true;
    return bracket;
  };
  return {
    contentType: "application/json",
    frame: (data) => `${open()}${count++ === 0 ? "" : ",\r\n"}${data}`,
    keepAlive: () => `${open()}\n`,
    close: () => `${open()}]`,
  };
}

/**
 * Checks whether a client of generate-content wants server-sent events: by `alt` or, without it, by its `accept`
 * header.
 */
export const wantsEvents = (alt: string | undefined, accept: string | undefined): boolean =>
  alt === undefined ? /\btext\/event-stream\b/i.test(accept ?? "") : alt === "sse";
