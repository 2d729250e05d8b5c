import type { TroubleTable } from "./trouble.ts";

/** The errors that the image and video services of this wire share; in failed work they come without a status. */
export const troubles: TroubleTable = {
  codes: [
    [/Sensitive|PrivacyInformation|PolicyViolation/, "moderated"],
    [
      /^(AuthenticationError|AccessDenied|AccountOverdueError|ServiceOverdue|ServiceNotOpen)/,
      "misconfigured",
    ],
    [/^(ModelNotOpen|InvalidEndpoint)/, "misconfigured"],
    // These do not pass by themselves: a limit has to be raised.
    [/^(QuotaExceeded|SetLimitExceeded)/, "misconfigured"],
    [
      /^(RateLimitExceeded|ModelAccount\w*RateLimitExceeded|ServerOverloaded|InternalServiceError)/,
      "unavailable",
    ],
    [/^(MissingParameter|InvalidParameter|InvalidImageURL)/, "refused"],
  ],
};
