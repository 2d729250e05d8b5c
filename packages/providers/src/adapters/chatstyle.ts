import type { TroubleTable } from "./job-error.ts";

/** The errors of this wire that have the same status. */
export const troubles: TroubleTable = {
  codes: [
    [/moderation|content_policy|image_generation_user_error|safety/, "moderated"],
    [/insufficient_quota|billing|invalid_api_key|model_not_found|organization/, "misconfigured"],
    [/rate_limit/, "unavailable"],
  ],
};
