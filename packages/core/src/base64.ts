/** Bytes of base64; undefined for a text that is not. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Characters that are converted at a time: a call takes no more arguments than that. */
const RUN = 0x8000;

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += RUN)
    binary += String.fromCharCode(...bytes.subarray(at, at + RUN));
  return btoa(binary);
}
