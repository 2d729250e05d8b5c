import type { AssetType } from "./schema.ts";

/** The request to register an asset with a provider. */
export interface AssetAsk {
  /** The address from which the provider reads the file: of our own stored copy where that has a public one. */
  url: string;
  /** The kind of file. */
  assetType: AssetType;
  /** The owner's name for it, at most 64 characters. */
  name?: string;
  /** The provider's id of the group that the asset belongs to: one for each account. */
  group?: string;
}

/** An asset that can be used. */
export interface AssetResult {
  /** The provider's own id of it; absent where nothing is registered and requests name the stored copy's address. */
  registered?: string;
}
