import { decodeBase64, sniff } from "../../check/media.ts";
import { pictureSize } from "../../check/picture.ts";
import type { Refusal } from "../../refusal.ts";
import { bad } from "./errors.ts";

const FORMATS = ["jpeg", "png", "webp", "bmp", "tiff", "gif", "heic", "heif"];
const MEGABYTE = 1024 * 1024;

export interface Limits {
  /** Edges in pixels, exclusive below. */
  edges: readonly [number, number];
  ratio: readonly [number, number];
  pixels?: number;
}

const notImage = (field: string, why: string): Refusal => bad(field, why, "InvalidImageURL");

/** Refuses what cannot be an image: an address, or data whose form and pixels can be seen here. */
export function checkImage(url: string, field: string, limits: Limits): void {
  if (/^https?:\/\/\S+$/.test(url)) return;
  const [, format = "", data = ""] = url.match(/^data:image\/([^;,]+);base64,(.*)$/s) ?? [];
  if (!format) throw notImage(field, "expected an http(s) URL or data:image/<format>;base64,<data>");
  if (format !== format.toLowerCase()) throw notImage(field, `the format '${format}' must be in lower case`);
  const bytes = decodeBase64(data);
  if (!bytes || bytes.length === 0) throw notImage(field, "the data is not valid base64");
  if (bytes.length > 30 * MEGABYTE) throw notImage(field, "the image is larger than 30 MB");
  const type = sniff(bytes) ?? `image/${format}`;
  const found = type.replace("image/", "");
  if (!type.startsWith("image/") || !FORMATS.includes(found === "jpg" ? "jpeg" : found))
    throw notImage(field, `${type} is not supported; supported are ${FORMATS.join(", ")}`);
  const size = pictureSize(type, bytes);
  if (!size) return;
  const { width, height } = size;
  const [least, most] = limits.edges;
  if (Math.min(width, height) <= least || Math.max(width, height) > most)
    throw notImage(field, `the edges ${width}x${height} must be above ${least} and at most ${most} px`);
  const [narrow, wide] = limits.ratio;
  if (width < height * narrow || width > height * wide)
    throw notImage(field, `the ratio of ${width}x${height} must be between ${narrow} and ${wide}`);
  if (limits.pixels && width * height > limits.pixels)
    throw notImage(field, `the image has more than ${limits.pixels} pixels`);
}
