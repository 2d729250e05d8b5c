import * as z from "zod";
import { essenceOf, faultOfMediaType, toBytes, toSource, toUrl } from "../ir/media-source.ts";

/** The sources of a part's bytes. */
export type PartSource =
  | {
      type: "url";
      /** A public http or https address. */
      url: string;
    }
  | {
      type: "base64";
      /** `image/png`, in lower case and without parameters. */
      mediaType: string;
      /** The bytes in base64, of either alphabet. */
      data: string;
    }
  | AssetSource;

/** Something the service keeps; its owner and state are checked, and its bytes found, before it is sent anywhere. */
export interface AssetSource {
  type: "asset";
  id: string;
  /** `output`: an archived result. `identity`: an upload that was checked for the people in it. */
  kind: "output" | "identity";
  /** The provider's own id of it, once it is registered there. */
  registered?: string;
}

/** The address of a part's bytes: its own, or a `data:` URL. Nothing for an unresolved asset. */
export const addressOf = (source: PartSource): string | undefined =>
  source.type === "asset" ? undefined : toUrl(source);

/** The media types that are taken as images. */
export const imageTypes = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "image/bmp",
  "image/tiff",
  "image/heic",
  "image/heif",
  "image/avif",
] as const;

/** The media types that are taken as audio, each with the name it travels under. */
export const audioTypes: Readonly<Record<string, string>> = {
  "audio/mpeg": "audio/mp3",
  "audio/mp3": "audio/mp3",
  "audio/wav": "audio/wav",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
};

/** The media types that are taken as video. */
export const videoTypes = ["video/mp4", "video/quicktime"] as const;

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Bytes in base64, of either alphabet. */
export const base64Bytes = (error: string) => z.string(error).regex(BASE64, error);
const URL_ERROR = "must be a public http or https URL";

/** A public address. The caller decides whether it may be fetched. */
export const mediaUrl = z.url({ protocol: /^https?$/, hostname: /./, error: URL_ERROR }).max(8192);

/** An id of one of the service's own assets. */
export const assetId = z.string().min(1, "must name an asset").max(256);

/**
 * The two members of an inline part: `data` is raw base64 or a whole data URL, and `mediaType` says what raw base64
 * holds. Of a data URL its own media type counts.
 */
export const inlineMembers = {
  data: z.string().min(1, "must not be empty"),
  mediaType: z.string().optional(),
};

interface Inline {
  data: string;
  mediaType?: string | undefined;
}

/** The bytes of an inline part, its media type in lower case and without parameters. */
export function toInline({ data, mediaType }: Inline): PartSource & { type: "base64" } {
  const whole = toSource(data);
  if (whole.type === "base64") return { ...whole, mediaType: essenceOf(whole.mediaType) };
  return { ...toBytes(data), mediaType: essenceOf(mediaType ?? "") };
}

/** A refinement of a part with `inlineMembers`: findings on media type and data, by `types` that are taken. */
export const checkInline =
  (types: readonly string[]) =>
  (part: Inline, context: z.RefinementCtx): void => {
    const whole = toSource(part.data);
    const add = (member: string, message: string): void =>
      context.addIssue({ code: "custom", path: [member], message });
    const source = toInline(part);
    const at = whole.type === "base64" ? "data" : "mediaType";
    const fault = faultOfMediaType(source.mediaType);
    if (fault !== undefined) add(at, fault);
    else if (source.mediaType === "") add("mediaType", `is required for raw base64: ${types.join(", ")}`);
    else if (!types.includes(source.mediaType))
      add(at, `must be one of ${types.join(", ")}, not ${JSON.stringify(source.mediaType)}`);
    else if (source.data !== "" && !BASE64.test(source.data))
      add("data", "must be base64 or a data URL of base64");
  };

/** Names the unknown member of a part that is neither text nor known, beside the known types. */
export const unknownType = (types: readonly string[]): string => `must be one of ${types.join(", ")}`;
