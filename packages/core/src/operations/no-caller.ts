/** The callers' members of an operation's codec, for a wire that only providers speak. */
export const noCaller = {
  /** Takes anything. */
  schema: {
    safeParse: (data: unknown) => ({ success: true as const, data }),
    parse: (data: unknown) => data,
  },
  /** Reads a request of a caller. */
  decode: refuse,
  /** Writes an answer to a caller. */
  encode: refuse,
};

function refuse(): never {
  throw new Error("no caller speaks this wire");
}
