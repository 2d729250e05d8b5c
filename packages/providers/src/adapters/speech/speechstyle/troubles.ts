import type { TroubleTable } from "../../job-error.ts";

/** The errors of this wire. An answer with HTTP status 200 may contain any of their codes. */
export const troubles: TroubleTable = {
  codes: [
    [/^450000(10|30)$/, "misconfigured"],
    [/^4\d{7}$/, "refused"],
    [/^5\d{7}$/, "unavailable"],
  ],
};

/** Checks whether a retry may help: for failures of the service itself. */
export const isTransient = (code: string | undefined): boolean => /^550000\d\d$/.test(code ?? "");
