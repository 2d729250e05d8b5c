/** How a provider is told who is asking. */
export interface Auth {
  header: string;
  /** Put before the key: `Bearer`. */
  scheme?: string;
}

export const bearer: Auth = { header: "authorization", scheme: "Bearer" };
