import * as z from "zod";
import { countCharacters } from "../characters.ts";

/** The types of identity assets. */
export const assetTypes = ["Image", "Video", "Audio"] as const;
/** One of `assetTypes`. */
export type AssetType = (typeof assetTypes)[number];

/** The body of a new identity asset. */
export interface AssetBody {
  /** Where the file is fetched from, once. Whether it may be is for the fetcher to decide. */
  url: string;
  /** The kind of file; default: `Image`. */
  assetType: AssetType;
  /** A name for the owner, at most 64 characters. */
  name?: string;
}

const LONGEST_NAME = 64;
const NAME_ERROR = `must be a string of at most ${LONGEST_NAME} characters`;
const URL_ERROR = "must be a valid HTTPS URL";

/** Reads the body. Unknown fields are stripped. */
export const assetSchema: z.ZodType<AssetBody> = z.object({
  url: z.url({ protocol: /^https$/, hostname: /./, error: URL_ERROR }).max(8192, URL_ERROR),
  assetType: z.enum(assetTypes, { error: `must be one of ${assetTypes.join(", ")}` }).default("Image"),
  name: z
    .string({ error: NAME_ERROR })
    .refine((name) => countCharacters(name) <= LONGEST_NAME, { error: NAME_ERROR })
    .meta({ maxLength: LONGEST_NAME })
    .optional(),
});
