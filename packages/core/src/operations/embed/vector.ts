import type { Json } from "../../json/json.ts";

/** A vector of numbers, or of base64 little-endian 32-bit floats; empty where it is neither. */
export function toVector(value: Json | undefined): number[] {
  if (typeof value === "string") return fromBase64(value);
  return Array.isArray(value) && value.every((x) => Number.isFinite(x)) ? (value as number[]) : [];
}

/** The vector as base64 little-endian 32-bit floats, which is how some clients read every answer. */
export function toBase64(vector: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [i, x] of vector.entries()) view.setFloat32(i * 4, x, true);
  let binary = "";
  for (const byte of new Uint8Array(view.buffer)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string): number[] {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return [];
  }
  if (binary.length % 4 !== 0) return [];
  const view = new DataView(Uint8Array.from(binary, (unit) => unit.charCodeAt(0)).buffer);
  const vector = Array.from({ length: binary.length / 4 }, (_, i) => view.getFloat32(i * 4, true));
  return vector.every(Number.isFinite) ? vector : [];
}
