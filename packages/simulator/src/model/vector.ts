import { digest } from "../content/digest.ts";

export const DEFAULT_DIMENSIONS = 8;

/** A unit vector that is the same for the same text, and another one for any other. */
export function vectorOf(text: string, dimensions: number): number[] {
  const raw = Array.from({ length: dimensions }, (_, index) => {
    const hash = digest(text, String(Math.floor(index / 8)));
    const word = Number.parseInt(hash.slice((index % 8) * 8, (index % 8) * 8 + 8), 16);
    return word / 0xffffffff - 0.5;
  });
  const length = Math.hypot(...raw) || 1;
  return raw.map((value) => Math.fround(value / length));
}

/** Little-endian 32-bit floats in base64: the form of an embedding that is requested as base64. */
export function toBase64(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
