/** Names the party whose error it is: the header that every error has, whatever the shape of its body. */
export const errorSource = {
  /** The service's own: refused here, or in its words. */
  service: { "x-error-source": "service" },
  /** A provider's, in its own words. */
  provider: { "x-error-source": "provider" },
} as const;
