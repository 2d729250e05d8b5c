import { fromBase64, toBase64 } from "../../base64.ts";
import type { Json } from "../../json/json.ts";

/** A vector of numbers, or of base64 little-endian 32-bit floats; empty where it is neither. */
export function toVector(value: Json | undefined): number[] {
  if (typeof value === "string") return ofBase64(value);
  return Array.isArray(value) && value.every((x) => Number.isFinite(x)) ? (value as number[]) : [];
}

/** The vector as base64 little-endian 32-bit floats, which is how some clients read every answer. */
export function vectorToBase64(vector: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [i, x] of vector.entries()) view.setFloat32(i * 4, x, true);
  return toBase64(new Uint8Array(view.buffer));
}

function ofBase64(text: string): number[] {
  const bytes = fromBase64(text);
  if (!bytes || bytes.length % 4 !== 0) return [];
  const view = new DataView(bytes.buffer);
  const vector = Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(i * 4, true));
  return vector.every(Number.isFinite) ? vector : [];
}
