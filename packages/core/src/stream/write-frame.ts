/**
 * A line that readers of server-sent events skip. No empty line follows it: some clients take that for the end of an
 * event, and fail at its missing data.
 */
export const COMMENT = ": keep-alive\n";

const LINE_END = /\r\n|\r|\n/g;
/** Chunks are JSON, which has none. */
const hasLineEnd = (text: string): boolean => text.includes("\n") || text.includes("\r");

/** The text of one event. Line ends inside the data or the name never start a field of their own. */
export function writeFrame(data: string, event?: string): string {
  const body = hasLineEnd(data) ? data.replace(LINE_END, "\ndata: ") : data;
  return event === undefined
    ? `data: ${body}\n\n`
    : `event: ${event.replace(LINE_END, " ")}\ndata: ${body}\n\n`;
}
