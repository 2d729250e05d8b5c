import type { Log } from "@manifold-gateway/gateway";
import type { KeyVault } from "@manifold-gateway/gateway/admin";
import type { Store } from "@manifold-gateway/store";

/** Counts stored keys that no configured secret decrypts: they still authenticate, but can never be revealed. */
export async function countLostKeys({ keys }: Store, keyVault: KeyVault | undefined): Promise<number> {
  const samples = await keys.sealedSamples();
  const lost = samples.filter(({ id, sealed }) => keyVault?.open(sealed, id) === undefined);
  return lost.reduce((sum, { count }) => sum + count, 0);
}

/** Warns of those keys. */
export async function warnOfLostKeys(store: Store, keyVault: KeyVault | undefined, log: Log): Promise<void> {
  const keys = await countLostKeys(store, keyVault);
  if (keys > 0) log.warn({ keys }, "keys cannot be revealed: no key encryption secret decrypts them");
}
