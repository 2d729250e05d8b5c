import { type ApplicationIdentity, applicationIdentity } from "./application.ts";
import { type SignedIdentity, signedIdentity } from "./aws-signature.ts";
import type { Identity } from "./identity.ts";
import { type ServiceAccountIdentity, serviceAccountIdentity } from "./service-account.ts";

export type { ApplicationIdentity } from "./application.ts";
export type { SignedIdentity } from "./aws-signature.ts";
export type { Identity } from "./identity.ts";
export type { ServiceAccountIdentity } from "./service-account.ts";

/** The ways to authenticate to a provider without a fixed key. */
export type IdentityOptions = SignedIdentity | ApplicationIdentity | ServiceAccountIdentity;

/** Creates the identity of the options. `now` returns milliseconds since the epoch. */
export function createIdentity(options: IdentityOptions, now: () => number = Date.now): Identity {
  switch (options.kind) {
    case "aws":
      return signedIdentity(options, now);
    case "azure":
      return applicationIdentity(options, now);
    case "google":
      return serviceAccountIdentity(options, now);
  }
}
