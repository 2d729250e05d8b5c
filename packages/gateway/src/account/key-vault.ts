import { createHmac } from "node:crypto";
import { openKey, type Sealed, sealKey } from "@manifold-gateway/store";
import type { KeyVault } from "../ports/access.ts";

/** Seals by secrets of 32 bytes, oldest first: the last one seals, the others still open, wherever they stand. */
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
      // A copy says itself whether a secret is its own: no name of it has to be believed.
      for (const secret of newest) {
        const key = tryOpen(sealed, keyId, secret);
        if (key !== undefined) return key;
      }
      return undefined;
    },
  };
}

/** A number that follows from a secret, so that it stays the same wherever the secret stands among others. */
const versionOf = (secret: Uint8Array): number =>
  createHmac("sha256", secret).update("version").digest().readUInt32BE();

function tryOpen(sealed: Sealed, keyId: string, secret: Uint8Array): string | undefined {
  try {
    return openKey(sealed, keyId, secret);
  } catch {
    return undefined;
  }
}
