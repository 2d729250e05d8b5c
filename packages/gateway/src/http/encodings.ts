/** The content encodings of stored files, the smallest first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** Matches a name in `accept-encoding`, unless `q=0` excludes it. */
const namePattern = (name: string): RegExp =>
  new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, "i");
const names: Record<ContentEncoding, RegExp> = { br: namePattern("br"), gzip: namePattern("gzip") };

/** Checks whether a client accepts an encoding, by its `accept-encoding` header. */
export const takesEncoding = (header: string | undefined, encoding: ContentEncoding): boolean =>
  names[encoding].test(header ?? "");
