import type { Identity } from "./identity.ts";
import { accountOf, type ServiceAccount } from "./key-file.ts";
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

export function serviceAccountIdentity(
  { serviceAccount, scope = SCOPE, metadata = METADATA }: ServiceAccountIdentity,
  now: () => number = Date.now,
): Identity {
  if (serviceAccount === undefined) {
    const url = `${metadata}${TOKEN_PATH}?${new URLSearchParams({ scopes: scope })}`;
    return tokenIdentity(() => requestToken(url, { headers: { "metadata-flavor": "Google" } }, now), [], now);
  }
  const account = accountOf(serviceAccount);
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
