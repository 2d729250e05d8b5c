/** The header in which a provider expects the key. */
export interface Auth {
  header: string;
  /** A word before the key: `Bearer`. */
  scheme?: string;
}

export const bearer: Auth = { header: "authorization", scheme: "Bearer" };
