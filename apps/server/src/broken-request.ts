/** What the parser says of a request that it gave up on. */
interface ParseError extends Error {
  /** The bytes that it read last. */
  rawPacket?: Buffer;
  /** How many of them it had taken when it gave up. */
  bytesParsed?: number;
}

/** The request line of the last head in a text, as far as its path. */
const LINE = /^[A-Z]+ (\/[^\s?#]*)[\s?#]/;
const HEAD_END = "\r\n\r\n";

/** The path of a request that could not be parsed; `/` where its first line did not come with its last bytes. */
export function pathOfBroken({ rawPacket, bytesParsed = 0 }: ParseError): string {
  const text = rawPacket?.toString("latin1", 0, bytesParsed) ?? "";
  const before = text.lastIndexOf(HEAD_END);
  return LINE.exec(before < 0 ? text : text.slice(before + HEAD_END.length))?.[1] ?? "/";
}
