import type { Answer } from "../api/client.ts";
import { ofWhom } from "../state/session.ts";

/** A job as its account reads it. */
export type AccountJob = Answer<"/api/compat/v1/jobs/{generationId}">;
/** A job as operators read it: with its owner, and without what was asked for and what was made. */
export type ForeignJob = Answer<"/api/admin/jobs/{generationId}">;
/** What lists show of either. */
export type ListedJob = Omit<AccountJob, "content" | "outputs" | "transcript"> &
  Partial<Pick<ForeignJob, "accountName" | "apiKeyId" | "provider" | "userId">>;

/** The filters of every list of jobs. */
export const FILTERS = {
  kind: { title: "Kind", of: { image: "images", video: "videos", speech: "speech" } },
  state: { title: "State", of: { live: "under way", ended: "ended" } },
} as const;

/** The page of a job; `account` is known to operators. */
export function pageOf(id: string, account?: string): string {
  const query = new URLSearchParams(ofWhom(account)).toString();
  return `/console/jobs/${encodeURIComponent(id)}${query && `?${query}`}`;
}
