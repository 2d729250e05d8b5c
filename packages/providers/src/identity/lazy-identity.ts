import type { Identity } from "./identity.ts";
import type { IdentityOptions } from "./index.ts";
import { accountOf } from "./key-file.ts";

/** The secrets in the options. Throws a `TypeError` for a key file that is none. */
function configuredSecrets(options: IdentityOptions): (string | undefined)[] {
  switch (options.kind) {
    case "aws":
      return [options.accessKeyId, options.secretAccessKey, options.sessionToken];
    case "azure":
      return [options.clientSecret];
    case "google":
      return options.serviceAccount === undefined ? [] : [accountOf(options.serviceAccount).privateKey];
  }
}

/** The identity of the options, whose code is loaded with the first call: most programs have none. */
export function lazyIdentity(options: IdentityOptions): Identity {
  const configured = configuredSecrets(options).filter((secret) => secret !== undefined);
  let loaded: Identity | undefined;
  const load = async (): Promise<Identity> => {
    const { createIdentity } = await import("./index.ts");
    loaded ??= createIdentity(options);
    return loaded;
  };
  return {
    headers: async (call) => (loaded ?? (await load())).headers(call),
    refused: () => loaded?.refused(),
    secrets: () => loaded?.secrets() ?? configured,
  };
}
