import { compact, type JsonObject } from "../../json/json.ts";
import type { AssetType } from "./schema.ts";

/** The states of an identity asset. The last two are ends: a failed one is made anew. */
export const assetStates = ["processing", "active", "failed"] as const;
/** One of `assetStates`. */
export type AssetState = (typeof assetStates)[number];

/**
 * The reasons why an asset failed, and the message for its owner where nothing better is known. Stable: programs read
 * the codes.
 */
export const assetErrors = {
  download_failed: "The file could not be downloaded.",
  file_too_large: "The file is larger than its type may be.",
  unsupported_format: "The file is not of a format that its type may have.",
  unreadable_file: "The file is damaged or incomplete.",
  aspect_ratio_out_of_range: "The aspect ratio is outside of what its type may have.",
  edge_out_of_range: "An edge is shorter or longer than its type may be.",
  pixels_out_of_range: "The number of pixels is outside of what its type may have.",
  duration_out_of_range: "The duration is outside of what its type may have.",
  fps_out_of_range: "The frame rate is outside of what its type may have.",
  provider_rejected: "The provider did not accept the file.",
  timeout: "The file was not ready in time.",
} as const;
/** A key of `assetErrors`. */
export type AssetErrorCode = keyof typeof assetErrors;

/** An identity asset as it is kept. Times are ISO 8601. */
export interface AssetRecord {
  /** The service's id, with which later requests name it. */
  assetId: string;
  /** The kind of file. */
  assetType: AssetType;
  /** The owner's name for it. */
  name?: string;
  /** Whether it can be used yet; only `active` can. */
  status: AssetState;
  /** One of ours, or the provider's own. */
  errorCode?: string;
  /** The reason for its owner, of a failed asset. */
  errorMessage?: string;
  /** When it was created. */
  createdAt: string;
  /** When its state last changed. */
  updatedAt: string;
}

/** The asset as its owner reads it, on creation and after. What belongs to another state is left out. */
export function encodeAsset(record: AssetRecord): JsonObject {
  const { assetId, assetType, name, status, createdAt, updatedAt } = record;
  const code = record.errorCode ?? "provider_rejected";
  return compact<JsonObject>({
    assetId,
    assetType,
    ...(name !== undefined && { name }),
    status,
    ...(status === "failed" && {
      errorCode: code,
      errorMessage: record.errorMessage ?? textOfCode(code),
    }),
    createdAt,
    updatedAt,
  });
}

const textOfCode = (code: string): string =>
  Object.hasOwn(assetErrors, code) ? assetErrors[code as AssetErrorCode] : assetErrors.provider_rejected;
