import { createHmac } from "node:crypto";
import { openKey, type Sealed, sealKey } from "@manifold-gateway/store";
import type { KeyVault } from "../ports/access.ts";

/**
 * Encrypts keys with secrets of 32 bytes, oldest first: the last one encrypts, and all of them decrypt, in any order.
 */
export function createKeyVault(secrets: readonly Uint8Array[]): KeyVault | undefined {
  const last = secrets.at(-1);
  if (!last) return undefined;
  for (const [at, secret] of secrets.entries())
    if (secret.length !== 32)
      throw new RangeError(`key encryption secret ${at + 1} must have 32 bytes, it has ${secret.length}`);
  const newest = secrets.toReversed();
  const version = versionOf(last);
  return {
    seal: (key, keyId) => sealKey(key, keyId, last, version),
    open(sealed, keyId) {
      // The encryption is authenticated: a wrong secret fails, so no stored name of a secret has to be trusted.
      for (const secret of newest) {
        const key = tryOpen(sealed, keyId, secret);
        if (key !== undefined) return key;
      }
      return undefined;
    },
  };
}

/** A number derived from a secret, which therefore stays the same when the list of secrets changes. */
const versionOf = (secret: Uint8Array): number =>
  createHmac("sha256", secret).update("version").digest().readUInt32BE();

function tryOpen(sealed: Sealed, keyId: string, secret: Uint8Array): string | undefined {
  try {
    return openKey(sealed, keyId, secret);
  } catch {
    return undefined;
  }
}
