/** The bytes of base64 of either alphabet. Throws for a text that is not. */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (unit) => unit.charCodeAt(0));

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = 61;

/** Bytes in base64. It is written as bytes first: of large files, strings of characters take 15 times as long. */
export function toBase64(bytes: Uint8Array): string {
  const codes = new TextEncoder().encode(ALPHABET);
  const written = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let at = 0, to = 0; at < bytes.length; at += 3, to += 4) {
    const word = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    written[to] = codes[word >> 18] as number;
    written[to + 1] = codes[(word >> 12) & 63] as number;
    written[to + 2] = codes[(word >> 6) & 63] as number;
    written[to + 3] = codes[word & 63] as number;
  }
  const rest = bytes.length % 3;
  if (rest > 0) written.fill(PADDING, written.length - 3 + rest);
  return new TextDecoder().decode(written);
}
