/** The bytes of base64 of either alphabet. Throws for a text that is not. */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (unit) => unit.charCodeAt(0));

/** The bytes that are put into one call of `String.fromCharCode`, whose arguments are limited. */
const SLICE = 0x8000;

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += SLICE)
    binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(binary);
}
