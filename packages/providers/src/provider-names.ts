import type { Preset } from "./presets/preset.ts";
import type { ProviderOptions } from "./provider.ts";

type Names<T> = { readonly [name in keyof Required<T>]: 0 };

/** What a preset's row has besides options of a provider, which may be spread into them. */
const ofPresets: Names<Omit<Preset, keyof ProviderOptions>> = {
  name: 0,
  kind: 0,
  regions: 0,
  parts: 0,
  also: 0,
  media: 0,
  keyVariable: 0,
  identityVariable: 0,
  originVariable: 0,
  activation: 0,
  sources: 0,
  read: 0,
  unsure: 0,
  note: 0,
};

/** The names of a provider's options. */
const ofOptions: Names<ProviderOptions> = {
  origin: 0,
  speaks: 0,
  basePaths: 0,
  serves: 0,
  key: 0,
  auth: 0,
  platform: 0,
  headers: 0,
  traits: 0,
  protocolTraits: 0,
  serverTraits: 0,
  routes: 0,
  surcharges: 0,
  batches: 0,
  unpriced: 0,
  unknownIds: 0,
  timeouts: 0,
  drain: 0,
  concurrency: 0,
  listing: 0,
  describes: 0,
  priceList: 0,
};

/** The names that a provider's options may have. */
export const providerNames: Names<ProviderOptions> = { ...ofOptions, ...ofPresets };
