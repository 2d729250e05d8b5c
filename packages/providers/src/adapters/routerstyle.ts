import type { TroubleTable } from "./job-error.ts";

/** The errors of this wire: a 403 refers to the content, and the codes of refused calls repeat the status. */
export const troubles: TroubleTable = {
  codes: [
    [/moderation|sensitive|policy|safety/i, "moderated"],
    [/^(invalid|bad_request)/i, "refused"],
  ],
  statuses: { 403: "moderated" },
};
