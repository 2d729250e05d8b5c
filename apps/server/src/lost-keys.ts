import type { Log } from "@manifold-gateway/gateway";
import type { KeyVault } from "@manifold-gateway/gateway/admin";
import type { Store } from "@manifold-gateway/store";

/** Warns of stored keys that no configured seal opens: they let callers in, and can never be revealed again. */
export async function warnOfLostKeys(store: Store, keyVault: KeyVault | undefined, log: Log): Promise<void> {
  const samples = await store.keys.sealedSamples();
  const lost = samples.filter(({ id, sealed }) => keyVault?.open(sealed, id) === undefined);
  if (lost.length === 0) return;
  const keys = lost.reduce((sum, { count }) => sum + count, 0);
  log.warn({ keys }, "keys cannot be revealed: no key encryption secret decrypts them");
}
