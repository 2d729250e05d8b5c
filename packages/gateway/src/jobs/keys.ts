import { createHash } from "node:crypto";

/** A name for an account where its own does not belong: in object keys, and before providers. */
export const pseudonymOf = (accountId: string): string =>
  createHash("sha256").update(`account:${accountId}`).digest("hex").slice(0, 32);

/** The keys of stored files. The same work comes to the same key, so that doing it again leaves nothing behind. */
export const keyOf = {
  output: (accountId: string, assetId: string, at: number): string =>
    `${pseudonymOf(accountId)}/${new Date(at).toISOString().slice(0, 7)}/${assetId}`,
  ask: (id: string): string => `asks/${id}`,
  input: (id: string, index: number): string => `inputs/${id}-${index}`,
};

const OWNED = /^(?:asks|inputs|[0-9a-f]{32}\/\d{4}-\d{2})\/([a-z0-9_-]+)$/;

/** The ids that the job and the asset of an object may have; nothing where the object is not one of ours. */
export function ownersOf(key: string): { jobs: string[]; assets: string[] } | undefined {
  const name = OWNED.exec(key)?.[1];
  return name === undefined ? undefined : { jobs: [name, name.replace(/-\d+$/, "")], assets: [name] };
}
