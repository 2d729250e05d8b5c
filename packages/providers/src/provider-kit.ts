export { assertNames } from "./assert-names.ts";
export { type Credential, type CredentialOptions, type KeyOptions, secretsOf } from "./credentials.ts";
export { betaFlags, platformEdits, upstreamHeaders } from "./headers.ts";
export type { Identity, IdentityOptions } from "./identity/index.ts";
export { type Platform, platforms } from "./platforms.ts";
export {
  type Auth,
  type Concurrency,
  createProvider,
  type ProtocolTraits,
  type Provider,
  type ProviderOptions,
  type Speech,
  type UpstreamProtocol,
} from "./provider.ts";
export { surchargesOf } from "./surcharges.ts";
