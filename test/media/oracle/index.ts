import { heif } from "./heif.ts";
import { bmp, gif, jpeg, png, tiff, webp } from "./images.ts";
import { movie } from "./movie.ts";
import type { Oracle } from "./opinion.ts";
import { mp3, wav } from "./sounds.ts";

/** The second opinions by media type. */
export const oracles: Record<string, Oracle> = {
  "image/jpeg": jpeg,
  "image/png": png,
  "image/gif": gif,
  "image/webp": webp,
  "image/bmp": bmp,
  "image/tiff": tiff,
  "image/heic": heif,
  "image/heif": heif,
  "video/mp4": movie,
  "video/quicktime": movie,
  "audio/wav": wav,
  "audio/mpeg": mp3,
};
