/** The members of an operation's codec for a wire that only providers speak: nothing reads or writes them. */
export const noCaller = {
  /** Takes anything. */
  schema: {
    safeParse: (data: unknown) => ({ success: true as const, data }),
    parse: (data: unknown) => data,
  },
  /** Reads a request of a caller. */
  decode: unspoken,
  /** Writes an answer to a caller. */
  encode: unspoken,
};

function unspoken(): never {
  throw new Error("no caller speaks this wire");
}
