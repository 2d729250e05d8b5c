/** Writers of numbers and texts, out of which the files of the tests are built. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function be(bytes: number, ...values: number[]): Bytes {
  return cat(
    ...values.map((value) =>
      Uint8Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256),
    ),
  );
}

export const le = (bytes: number, ...values: number[]): Bytes =>
  cat(...values.map((value) => be(bytes, value).reverse()));

export const ascii = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

export const zeros = (length: number): Bytes => new Uint8Array(length);

export const raw = (...values: number[]): Bytes => Uint8Array.from(values);

export function cat(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Bytes with others written over them. */
export function patched(bytes: Uint8Array, at: number, patch: Uint8Array): Bytes {
  const copy = Uint8Array.from(bytes);
  copy.set(patch, at);
  return copy;
}

/** Where a text stands in a file. */
export function place(bytes: Uint8Array, text: string, from = 0): number {
  const at = Buffer.from(bytes).indexOf(text, from, "latin1");
  if (at < 0) throw new Error(`${text} does not occur`);
  return at;
}

/** Bytes over and over. */
export function repeated(bytes: Uint8Array, times: number): Bytes {
  const all = new Uint8Array(bytes.length * times);
  for (let at = 0; at < all.length; at += bytes.length) all.set(bytes, at);
  return all;
}
