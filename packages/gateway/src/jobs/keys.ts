import { createHash } from "node:crypto";

/** A name for an account where its own does not belong: in object keys, and before providers. */
export const pseudonymOf = (accountId: string): string =>
  createHash("sha256").update(`account:${accountId}`).digest("hex").slice(0, 32);

/** Where things are kept. The same work comes to the same key, so that doing it again leaves nothing behind. */
export const keyOf = {
  output: (accountId: string, assetId: string, at: number): string =>
    `${pseudonymOf(accountId)}/${new Date(at).toISOString().slice(0, 7)}/${assetId}`,
  ask: (id: string): string => `asks/${id}`,
  input: (id: string, index: number): string => `inputs/${id}-${index}`,
};
