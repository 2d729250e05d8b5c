import { type AssetAdapter, mediastyle } from "./mediastyle.ts";

export { localAsset } from "./local.ts";
export type { AssetAdapter };

/** How identity assets are registered, by wire. Where a provider has none of these, `localAsset` stands in. */
export const asset = { mediastyle } as const satisfies Record<string, AssetAdapter>;
