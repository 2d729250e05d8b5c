import { openKey, type Sealed, sealKey } from "@manifold/store";

/** Keeps raw keys so that only this deployment can read them again. */
export interface Seals {
  seal(key: string, keyId: string): Sealed;
  /** Nothing where the secret that sealed it is not here any more. */
  open(sealed: Sealed, keyId: string): string | undefined;
}

/** Seals by secrets of 32 bytes, oldest first: the last one seals, the others still open. */
export function createSeals(secrets: readonly Uint8Array[]): Seals | undefined {
  const last = secrets.at(-1);
  if (!last) return undefined;
  for (const [at, secret] of secrets.entries())
    if (secret.length !== 32)
      throw new RangeError(`sealing secret ${at + 1} must have 32 bytes, it has ${secret.length}`);
  return {
    seal: (key, keyId) => sealKey(key, keyId, last, secrets.length),
    open(sealed, keyId) {
      const secret = secrets[sealed.version - 1];
      return secret && openKey(sealed, keyId, secret);
    },
  };
}
