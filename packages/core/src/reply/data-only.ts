const LINE_END = /\r\n|\r|\n/;
const BARE_RETURN = /\r(?!\n)/;
/** A data line or a comment, perhaps behind a byte order mark in latin1. */
const SHOWN = /^(?:\u00ef\u00bb\u00bf)?(?:data)?:/;

/**
 * Removes the lines of an event that are neither data nor comments, such as `retry:`, by which a provider would steer
 * its caller's client. An event without such lines is returned unchanged, byte for byte, unless carriage returns alone
 * end its lines: many clients take those for a part of the data.
 */
export function dataOnly(frame: string): string {
  // The usual event has one line.
  if (frame.startsWith("data:") && frame.indexOf("\n") === frame.length - 2 && !frame.includes("\r"))
    return frame;
  const lines = frame.split(LINE_END).filter((line) => line !== "");
  const shown = lines.filter((line) => SHOWN.test(line));
  if (shown.length === lines.length && !BARE_RETURN.test(frame)) return frame;
  return shown.length === 0 ? "" : `${shown.join("\n")}\n\n`;
}
