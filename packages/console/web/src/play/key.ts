import { signal } from "@preact/signals";
import { call } from "../api/client.ts";

interface PlayKey {
  id: string;
  raw: string;
}

/**
 * The key that the playground calls the surfaces with, since they take no sessions. It is kept in memory only, and
 * revoked at signing out.
 */
export const playKey = signal<PlayKey | undefined>(undefined);

/** Creates the key, with a daily cap in US dollars. */
export async function createPlayKey(daily: number): Promise<void> {
  const body = { name: "playground", limits: { daily } };
  const made = await call("post", "/api/compat/v1/api-keys", { body });
  playKey.value = { id: made.id, raw: made.key };
}

export async function revokePlayKey(): Promise<void> {
  const key = playKey.value;
  if (!key) return;
  playKey.value = undefined;
  await call("delete", "/api/compat/v1/api-keys/{keyId}", { path: { keyId: key.id } });
}
