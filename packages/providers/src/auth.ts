/** The way in which a provider authenticates us. */
export interface Auth {
  header: string;
  /** Put before the key: `Bearer`. */
  scheme?: string;
}

export const bearer: Auth = { header: "authorization", scheme: "Bearer" };
