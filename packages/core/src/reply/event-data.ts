/** A byte order mark, byte for byte. */
const BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
const LINE_END = /\r\n|\r|\n/;

/** The data of one event; undefined if it has none, as a comment or a name alone. */
export function dataOf(event: string): string | undefined {
  const first = event.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const start = event.startsWith("data:", first)
    ? first
    : event.startsWith("event:", first)
      ? afterLine(event)
      : -1;
  const end = start < 0 ? -1 : lineEnd(event, start);
  // The usual event: an optional name, one data line, and the blank line.
  if (start >= 0 && event.startsWith("data:", start) && event.slice(end).trim() === "")
    return event.slice(start + 5, end).replace(/^ /, "");
  const lines = event.slice(first).split(LINE_END);
  const data = lines
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""));
  return data.length > 0 ? data.join("\n") : undefined;
}

/** The event with its data replaced. */
export function withData(event: string, raw: string, data: string): string {
  const at = event.indexOf(raw);
  if (at >= 0) return event.slice(0, at) + data + event.slice(at + raw.length);
  const others = event.split(LINE_END).filter((line) => line !== "" && !line.startsWith("data:"));
  return `${[...others, `data: ${data}`].join("\n")}\n\n`;
}

const lineEnd = (text: string, from: number): number => {
  const feed = text.indexOf("\n", from);
  if (feed >= 0 && !text.includes("\r")) return feed;
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at += 1;
  return at;
};

const afterLine = (text: string): number => {
  const end = lineEnd(text, 0);
  return text.startsWith("\r\n", end) ? end + 2 : end + 1;
};
