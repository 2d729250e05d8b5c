import { createHash } from "node:crypto";
import { momentOf } from "../http/moments.ts";

/** A pseudonym for an account, for object keys and providers, which must not see the account's id. */
export const pseudonymOf = (accountId: string): string =>
  createHash("sha256").update(`account:${accountId}`).digest("hex").slice(0, 32);

/** The keys of stored files. The same work gives the same key, so that repeating it leaves nothing behind. */
export const keyOf = {
  output: (accountId: string, assetId: string, at: number): string =>
    `${pseudonymOf(accountId)}/${momentOf(at).slice(0, 7)}/${assetId}`,
  ask: (id: string): string => `asks/${id}`,
  input: (id: string, index: number): string => `inputs/${id}-${index}`,
};

const OBJECT_KEY = /^(?:asks|inputs|[0-9a-f]{32}\/\d{4}-\d{2})\/([a-z0-9_-]+)$/;

/** The ids of the job and the asset that may own an object; `undefined` for an object that is not ours. */
export function ownersOf(key: string): { jobs: string[]; assets: string[] } | undefined {
  const name = OBJECT_KEY.exec(key)?.[1];
  return name === undefined ? undefined : { jobs: [name, name.replace(/-\d+$/, "")], assets: [name] };
}
