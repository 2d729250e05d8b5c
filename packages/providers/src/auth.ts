/** The header in which a provider expects the key. */
export interface Auth {
  /** The header that holds the key: `x-api-key`. */
  header: string;
  /** A word before the key: `Bearer`. */
  scheme?: string;
}

export const bearer: Auth = { header: "authorization", scheme: "Bearer" };
