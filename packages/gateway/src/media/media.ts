import { Refusal } from "../http/refusal.ts";
import type { Media } from "../ports/media.ts";
import type { Services } from "../ports/services.ts";

/** The media services. Throws a 503 if this gateway has none. */
export function mediaOf({ media }: Pick<Services, "media">): Media {
  if (media) return media;
  throw new Refusal(
    "media_not_served",
    "This gateway stores no files: it serves no images, videos or speech.",
  );
}
