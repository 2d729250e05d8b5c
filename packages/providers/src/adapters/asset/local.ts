import type { AssetAsk, AssetResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../adapter.ts";

/** The adapter for providers without a library of assets: requests use the address of the service's stored copy. */
export const localAsset: Adapter<AssetAsk, AssetResult> = {
  submit: async () => ({ state: "succeeded", result: {} }),
};
