import { array, assertOptions, number, object, optional, string, union } from "@manifold-gateway/core/schema";
import { assertNames } from "./assert-names.ts";
import { lazyIdentity } from "./identity/lazy-identity.ts";
import { createProvider, type Provider, type ProviderOptions } from "./provider.ts";
import { providerNames } from "./provider-names.ts";

const key = string({
  pattern: /^[\t\x20-\x7e\x80-\xff]+$/,
  message: "must not be empty, nor hold a line break or another character that no header can carry",
});
const keys = array(
  union([key, object({ name: optional(string()), key, weight: optional(number({ min: 0 })) })]),
  {
    min: 1,
  },
);
const rules = object({ id: string({ min: 1 }), key: optional(union([key, keys])) });

/**
 * Creates a provider from its options. A path in `origin` replaces the base path of every protocol. Throws a `TypeError`
 * that names what is wrong.
 */
export function defineProvider(id: string, options: ProviderOptions): Provider {
  assertOptions("defineProvider", rules, { id, key: options.key });
  assertNames(`provider '${id}'`, options, providerNames);
  return createProvider(id, options, lazyIdentity);
}
