import { type AssetAdapter, mediastyle } from "./mediastyle.ts";

export { localAsset } from "./local.ts";
export type { AssetAdapter };

/**
 * The adapters for registering identity assets, by wire. A provider without one has `localAsset` instead.
 */
export const asset = { mediastyle } as const satisfies Record<string, AssetAdapter>;
