import type { Identity } from "./identity.ts";
import { formOf, requestToken, tokenIdentity } from "./token.ts";

/** An application of Microsoft Entra, or the machine's managed identity. */
export interface ApplicationIdentity {
  kind: "azure";
  /** The tenant of an application with `clientId` and `clientSecret`. Default: the machine's managed identity. */
  tenantId?: string | undefined;
  /** The application's id. Without `tenantId`, it chooses among several managed identities of the machine. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  scope?: string | undefined;
  /** The address of the token issuer for applications. */
  authority?: string | undefined;
  /** The address of the metadata server. */
  metadata?: string | undefined;
}

const SCOPE = "https://cognitiveservices.azure.com/.default";
const AUTHORITY = "https://login.microsoftonline.com";
const METADATA = "http://169.254.169.254";

export function applicationIdentity(
  {
    tenantId,
    clientId,
    clientSecret,
    scope = SCOPE,
    authority = AUTHORITY,
    metadata = METADATA,
  }: ApplicationIdentity,
  now: () => number = Date.now,
): Identity {
  if (tenantId !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const url = `${authority}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
    const form = formOf({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope,
    });
    return tokenIdentity(() => requestToken(url, form, now), [clientSecret], now);
  }
  const query = new URLSearchParams({
    "api-version": "2018-02-01",
    resource: scope.replace(/\/\.default$/, ""),
    ...(clientId !== undefined && { client_id: clientId }),
  });
  const url = `${metadata}/metadata/identity/oauth2/token?${query}`;
  return tokenIdentity(() => requestToken(url, { headers: { metadata: "true" } }, now), [], now);
}
