import { unreadable } from "../probe-error.ts";
import type { Finding } from "../types.ts";

/** A picture of this width and height; a size of zero is unreadable. */
export function picture(mediaType: `image/${string}`, width: number, height: number): Finding {
  if (width < 1 || height < 1) throw unreadable(`its picture is ${width}×${height} pixels`);
  return { kind: "image", mediaType, width, height };
}
