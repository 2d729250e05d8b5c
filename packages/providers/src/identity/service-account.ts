import { isObject, parseJson, textOf } from "@manifold-gateway/core/codec";
import type { Identity } from "./identity.ts";
import { formOf, requestToken, tokenIdentity } from "./token.ts";

/** A service account of Google Cloud: that of a key file, or the machine's own. */
export interface ServiceAccountIdentity {
  kind: "google";
  /** The account's key file, as JSON text. Default: the machine's account, from the metadata server. */
  serviceAccount?: string | undefined;
  scope?: string | undefined;
  /** The address of the metadata server. */
  metadata?: string | undefined;
}

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const METADATA = "http://metadata.google.internal";
const TOKEN_PATH = "/computeMetadata/v1/instance/service-accounts/default/token";
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

export function serviceAccountIdentity(
  { serviceAccount, scope = SCOPE, metadata = METADATA }: ServiceAccountIdentity,
  now: () => number = Date.now,
): Identity {
  if (serviceAccount === undefined) {
    const url = `${metadata}${TOKEN_PATH}?${new URLSearchParams({ scopes: scope })}`;
    return tokenIdentity(() => requestToken(url, { headers: { "metadata-flavor": "Google" } }, now), [], now);
  }
  const account = readServiceAccount(serviceAccount);
  if (!account) throw new TypeError("serviceAccount is no key file of a service account");
  const issue = async () =>
    requestToken(
      account.tokenUri,
      formOf({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await assertionOf(account, scope, now()),
      }),
      now,
    );
  return tokenIdentity(issue, [account.privateKey], now);
}

/** The assertion, signed by the account, with which a token is requested. */
async function assertionOf(
  { email, privateKey, keyId, tokenUri }: ServiceAccount,
  scope: string,
  at: number,
): Promise<string> {
  const { importPKCS8, SignJWT } = await import("jose");
  const seconds = Math.floor(at / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3_600)
    .sign(await importPKCS8(privateKey, "RS256"));
}
