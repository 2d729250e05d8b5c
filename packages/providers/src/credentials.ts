import type { Identity } from "./identity/index.ts";

/** One of the credentials that a provider is called with. */
export interface Credential {
  /** Stands in logs, records and explanations in place of the secret: the operator's name for it, or its number. */
  name: string;
  key: string;
  /** Its share of the conversations, in proportion to the weights of the others. */
  weight: number;
}

/** A credential as it is configured. */
export interface CredentialOptions {
  /** Default: its number, counted from 1. */
  name?: string | undefined;
  key: string;
  /** Default 1. */
  weight?: number | undefined;
}

/** One key, or several. */
export type KeyOptions = string | readonly (string | CredentialOptions)[];

/** The credentials of a list; none of a single key, which needs no name. */
function toCredentials(options: KeyOptions): readonly Credential[] {
  if (typeof options === "string") return [];
  return options.map((one, at) => {
    const { name = String(at + 1), key, weight = 1 } = typeof one === "string" ? { key: one } : one;
    return { name, key, weight };
  });
}

/** What a provider and each of its services know of keys: the first, and all of them where there are several. */
export interface Keyed {
  key?: string;
  credentials?: readonly Credential[];
}

/** The keys of a provider or a service; nothing where it is called without any. */
export function toKeyed(options: KeyOptions | undefined): Keyed {
  if (options === undefined) return {};
  const credentials = toCredentials(options);
  const key = typeof options === "string" ? options : credentials[0]?.key;
  return { ...(key !== undefined && { key }), ...(credentials.length > 1 && { credentials }) };
}

/** The secrets that a provider or a service is called with: they must not be in what is shown of its answers. */
export function secretsOf({
  key,
  credentials,
  identity,
}: Keyed & { identity?: Identity }): readonly string[] {
  if (identity) return identity.secrets();
  return credentials ? credentials.map((credential) => credential.key) : key === undefined ? [] : [key];
}
