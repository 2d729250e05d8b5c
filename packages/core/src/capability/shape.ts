import { span, within } from "./message-text.ts";
import type { Shape } from "./shape-schema.ts";

const SIZE = /^([1-9]\d{0,8})x([1-9]\d{0,8})$/;
/** The form of a size, before its numbers are judged. */
export const SIZE_PATTERN = SIZE.source;

/** Width and height of `1024x768`. */
export function readSize(text: unknown): { width: number; height: number } | undefined {
  const match = typeof text === "string" ? SIZE.exec(text) : null;
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}

/** Checks whether a picture keeps the limits. Ratios are compared as products, so nothing is rounded. */
export function fitsShape(shape: Shape, width: number, height: number): boolean {
  const { multipleOf = 1, edge = {}, pixels = {}, ratio } = shape;
  const [short, long] = width < height ? [width, height] : [height, width];
  return (
    width % multipleOf === 0 &&
    height % multipleOf === 0 &&
    within(width, edge) &&
    within(height, edge) &&
    within(width * height, pixels) &&
    (ratio === undefined || long <= ratio * short)
  );
}

/** The limits, for people. */
export function describeShape({ multipleOf, edge, pixels, ratio }: Shape): string {
  const limits = [
    multipleOf !== undefined && `edges in multiples of ${multipleOf}`,
    edge && `edges of ${span(edge)} pixels`,
    pixels && `${span(pixels)} pixels in all`,
    ratio !== undefined && `a long edge of at most ${ratio} times the short one`,
  ].filter((text) => text !== false && text !== undefined);
  return limits.length > 0 ? limits.join(", ") : "any width and height";
}
