/** The header that names the origin of an error. Every error has it, whatever the format of its body. */
export const errorSource = {
  /** The service refused the request or wrote the error. */
  service: { "x-error-source": "service" },
  /** The provider wrote the error. */
  provider: { "x-error-source": "provider" },
} as const;
