import { call } from "../api/client.ts";
import type { Whose } from "../requests/source.ts";
import type { AccountJob, ForeignJob } from "./words.ts";

/** A job of the account, or of any. */
export const readJob = (whose: Whose, id: string, signal: AbortSignal): Promise<AccountJob | ForeignJob> =>
  whose === "all"
    ? call("get", "/api/admin/jobs/{generationId}", { path: { generationId: id }, signal })
    : call("get", "/api/compat/v1/jobs/{generationId}", { path: { generationId: id }, signal });
