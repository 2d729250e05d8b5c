export { defineProvider } from "./define-provider.ts";
export type { Identity, IdentityOptions } from "./identity/index.ts";
export { lazyIdentity } from "./identity/lazy-identity.ts";
