import { lazyIdentity } from "./identity/lazy-identity.ts";
import { createProvider, type Provider, type ProviderOptions } from "./provider.ts";

/** Creates a provider from its options. A path in `origin` replaces the base path of every protocol. */
export const defineProvider = (id: string, options: ProviderOptions): Provider =>
  createProvider(id, options, lazyIdentity);
