import type { Identity } from "./identity/index.ts";

/** One of a provider's credentials. */
export interface Credential {
  /** The name shown in logs, records and explanations instead of the secret: the operator's, or its number. */
  name: string;
  /** The secret itself. */
  key: string;
  /** Its share of the conversations, in proportion to all weights. */
  weight: number;
}

/** A configured credential. */
export interface CredentialOptions {
  /** Default: its number, counted from 1. */
  name?: string | undefined;
  /** The secret itself. */
  key: string;
  /** Default 1. */
  weight?: number | undefined;
}

/** One key, or several. */
export type KeyOptions = string | readonly (string | CredentialOptions)[];

/** The credentials of a list. Empty for a single key, which needs no name. */
function toCredentials(options: KeyOptions): readonly Credential[] {
  if (typeof options === "string") return [];
  return options.map((one, at) => {
    const { name = String(at + 1), key, weight = 1 } = typeof one === "string" ? { key: one } : one;
    return { name, key, weight };
  });
}

/** The keys of a provider or of one of its services: the first key, and all credentials if there are several. */
export interface Keyed {
  key?: string;
  credentials?: readonly Credential[];
}

/** The keys of a provider or a service; empty if it needs none. */
export function toKeyed(options: KeyOptions | undefined): Keyed {
  if (options === undefined) return {};
  const credentials = toCredentials(options);
  const key = typeof options === "string" ? options : credentials[0]?.key;
  return { ...(key !== undefined && { key }), ...(credentials.length > 1 && { credentials }) };
}

/** The secrets of calls to a provider or a service, which must be removed from shown answers. */
export function secretsOf({
  key,
  credentials,
  identity,
}: Keyed & { identity?: Identity }): readonly string[] {
  if (identity) return identity.secrets();
  return credentials ? credentials.map((credential) => credential.key) : key === undefined ? [] : [key];
}
