const concat = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
};

/** Joins pieces of `size` bytes together, by the runtime's own function where it has one. */
export const joinBytes: (pieces: readonly Uint8Array[], size: number) => Uint8Array =
  globalThis.Buffer?.concat ?? concat;

/** The bytes that base64 stands for. Throws if a runtime without a `Buffer` finds that it is none. */
export const fromBase64 = (text: string): Uint8Array =>
  globalThis.Buffer?.from(text, "base64") ?? Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

const encoder = new TextEncoder();

/** A text in UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
