import { type AssetAdapter, mediastyle } from "./mediastyle.ts";

export { localAsset } from "./local.ts";
export type { AssetAdapter };

/**
 * The adapters for registering identity assets, by wire. Where a provider has none of these, `localAsset` stands in.
 */
export const asset = { mediastyle } as const satisfies Record<string, AssetAdapter>;
