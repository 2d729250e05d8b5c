import { writeFrame } from "@manifold-gateway/core";

/** The form in which chunks are written to one caller. */
export interface Framing {
  contentType: string;
  frame(data: string, event?: string): string;
  /** Closes the stream. */
  close(): string;
}

/** Server-sent events. */
export const eventStream: Framing = {
  contentType: "text/event-stream",
  frame: writeFrame,
  close: () => "",
};

/** One JSON array, written element by element: what the generate-content vendor streams without `alt=sse`. */
export function arrayStream(): Framing {
  let count = 0;
  return {
    contentType: "application/json",
    frame: (data) => `${count++ === 0 ? "[" : ",\r\n"}${data}`,
    close: () => (count === 0 ? "[]" : "]"),
  };
}
