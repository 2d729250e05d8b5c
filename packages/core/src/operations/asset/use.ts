import type { AssetRecord } from "./record.ts";
import type { AssetType } from "./schema.ts";

/**
 * Why an identity asset cannot stand where one of `wanted` is taken. The record is the caller's own: of somebody
 * else's nothing may be told, so it is as if it did not exist.
 */
export function faultOfAsset(
  record: Pick<AssetRecord, "assetType" | "status" | "errorCode"> | undefined,
  wanted: AssetType,
): string | undefined {
  if (!record) return "must name an identity asset of this account";
  const { assetType, status, errorCode } = record;
  if (assetType !== wanted) return `must name an asset of type ${wanted}, not ${assetType}`;
  if (status === "processing") return "the asset is still processing: it can be used once it is active";
  if (status === "failed")
    return `the asset has failed${errorCode ? ` (${errorCode})` : ""}: a new one must be created`;
  return undefined;
}
