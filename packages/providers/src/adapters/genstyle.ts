import type { TroubleTable } from "./job-error.ts";

/** The errors of this wire that have the same status, and the reasons for which it returns no output. */
export const troubles: TroubleTable = {
  codes: [
    [/SAFETY|PROHIBITED_CONTENT|BLOCKLIST|RECITATION|SPII|rai_filtered/, "moderated"],
    [/UNAUTHENTICATED|PERMISSION_DENIED|API_KEY_INVALID|FAILED_PRECONDITION|NOT_FOUND/, "misconfigured"],
    [/RESOURCE_EXHAUSTED|UNAVAILABLE|INTERNAL/, "unavailable"],
    [/DEADLINE_EXCEEDED|CANCELLED/, "expired"],
    [/INVALID_ARGUMENT|OUT_OF_RANGE/, "refused"],
  ],
};
