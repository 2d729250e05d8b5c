import { numberOf } from "@manifold-gateway/core/codec";
import type { JsonBody } from "../http/json-body.ts";
import { isLazyObject, type LazyJson } from "../http/lazy-json.ts";
import type { HoldFigures } from "../ports/limits.ts";

/** The tokens of a media part in an estimate: about those of a large image. */
export const MEDIA = 1_600;
/** The bytes of a token in an estimate. */
export const TOKEN_BYTES = 4;
/** The bytes of a token in a hold, which must rather be too high. */
const LIKELY_BYTES = 3;

/**
 * An upper bound for the input tokens of a request: a fixed figure for each image, the size in bytes of each file up to
 * a figure, and a token for every three bytes of text. If `strict`, a token for each byte of the body outside media,
 * with names and punctuation: no text has more tokens than bytes.
 */
export function inputBound(
  body: Pick<JsonBody, "measure" | "size">,
  strict: boolean,
  { imageTokens, fileTokens }: HoldFigures,
): number {
  const { bytes, media, images, files } = body.measure;
  let inFiles = 0;
  for (const size of files) inFiles += Math.min(size, fileTokens);
  const text = strict ? body.size - media : Math.ceil(bytes / LIKELY_BYTES);
  return text + images * imageTokens + inFiles;
}

/** The likely input tokens, for answers without usage: one for every four bytes. */
export const inputEstimate = (body: Pick<JsonBody, "measure">): number => {
  const { bytes, images, files } = body.measure;
  return Math.ceil(bytes / TOKEN_BYTES) + (images + files.length) * MEDIA;
};

/** The largest positive number at some places of a request. Numbers in strings count, since servers read them. */
export function largestAt(value: LazyJson, places: readonly (readonly string[])[]): number | undefined {
  let largest: number | undefined;
  for (const place of places) {
    let node: LazyJson | undefined = value;
    for (const key of place) node = node !== undefined && isLazyObject(node) ? node[key] : undefined;
    const number = typeof node === "string" ? Number(node.trim() || Number.NaN) : numberOf(node as never);
    if (number !== undefined && number > (largest ?? 0)) largest = number;
  }
  return largest;
}
