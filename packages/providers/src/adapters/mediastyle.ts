import type { TroubleTable } from "./job-error.ts";

/** The errors that the image and video services of this wire share; failed work reports them without a status. */
export const troubles: TroubleTable = {
  codes: [
    [/Sensitive|PrivacyInformation|PolicyViolation/, "moderated"],
    [
      /^(AuthenticationError|AccessDenied|AccountOverdueError|ServiceOverdue|ServiceNotOpen)/,
      "misconfigured",
    ],
    [/^(ModelNotOpen|InvalidEndpoint)/, "misconfigured"],
    // These are not temporary: the operator must have a limit raised.
    [/^(QuotaExceeded|SetLimitExceeded)/, "misconfigured"],
    [
      /^(RateLimitExceeded|ModelAccount\w*RateLimitExceeded|ServerOverloaded|InternalServiceError)/,
      "unavailable",
    ],
    [/^(MissingParameter|InvalidParameter|InvalidImageURL)/, "refused"],
  ],
};
