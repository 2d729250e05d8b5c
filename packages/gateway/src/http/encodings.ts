/** The content encodings that a file may be kept in, the smallest first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** Finds a name in `accept-encoding` that is not ruled out by `q=0`. */
const named = (name: string): RegExp =>
  new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, "i");
const names: Record<ContentEncoding, RegExp> = { br: named("br"), gzip: named("gzip") };

/** Tells whether a reader takes an encoding, by its `accept-encoding` header. */
export const takesEncoding = (header: string | undefined, encoding: ContentEncoding): boolean =>
  names[encoding].test(header ?? "");
