/** The error of the HTTP parser for a request that it cannot parse. */
interface ParseError extends Error {
  /** The chunk that it read last. */
  rawPacket?: Buffer;
  /** The number of bytes of the chunk that it parsed before the error. */
  bytesParsed?: number;
}

/** Matches a request line up to its path. */
const LINE = /^[A-Z]+ (\/[^\s?#]*)[\s?#]/;
const HEAD_END = "\r\n\r\n";

/** The path of a request that could not be parsed; `/` if the last chunk does not contain its first line. */
export function pathOfBroken({ rawPacket, bytesParsed = 0 }: ParseError): string {
  const text = rawPacket?.toString("latin1", 0, bytesParsed) ?? "";
  const before = text.lastIndexOf(HEAD_END);
  return LINE.exec(before < 0 ? text : text.slice(before + HEAD_END.length))?.[1] ?? "/";
}
