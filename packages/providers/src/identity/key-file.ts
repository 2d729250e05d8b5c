import { isObject, parseJson, textOf } from "@manifold-gateway/core/codec";

const ISSUER = "https://oauth2.googleapis.com/token";

/** The needed members of a key file. */
export interface ServiceAccount {
  email: string;
  privateKey: string;
  keyId?: string;
  tokenUri: string;
}

/** Reads a key file; undefined if the text is not one. */
export function readServiceAccount(text: string): ServiceAccount | undefined {
  const file = parseJson(text);
  if (!isObject(file)) return undefined;
  const email = textOf(file.client_email);
  const privateKey = textOf(file.private_key);
  const keyId = textOf(file.private_key_id);
  if (email === undefined || privateKey === undefined) return undefined;
  const tokenUri = textOf(file.token_uri) ?? ISSUER;
  return { email, privateKey, tokenUri, ...(keyId !== undefined && { keyId }) };
}

/** The account of a key file. Throws a `TypeError` if the text is not one. */
export function accountOf(text: string): ServiceAccount {
  const account = readServiceAccount(text);
  if (!account) throw new TypeError("serviceAccount is no key file of a service account");
  return account;
}
