/** Red, green, blue; each 0–255. */
export type Color = readonly [number, number, number];

export const GRAY: Color = [128, 128, 128];

/** A colour that is the same for the same hex digest. */
export function colorOf(hash: string): Color {
  const at = (index: number): number => Number.parseInt(hash.slice(index, index + 2), 16) || 0;
  return [at(0), at(2), at(4)];
}
