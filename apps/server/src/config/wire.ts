import { isProtectedUrl, readServiceAccount } from "@manifold-gateway/providers";
import { z } from "zod";

/** Characters that HTTP allows in the value of a header. */
const CARRIED = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers about the connection and the framing of a message, which the HTTP client sets. */
const FRAMING = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The reason for refusing an address where a secret or a key set would travel unencrypted. */
export const UNPROTECTED =
  "must be https: plain http is for this machine and private networks (private addresses, names without a dot or under .local and .internal)";

const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, "is no name of a header")
  .refine((name) => !FRAMING.has(name), { error: "belongs to the connection and cannot be set" });

const headerValue = z
  .string()
  .regex(CARRIED, "holds a line break or another character that no header can carry");

/** A secret that is sent unchanged in a header. The error does not repeat it. */
export const credential = headerValue.min(1);

const namedCredential = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.:@-]{1,64}$/, "must be 1 to 64 letters, digits and _.:@-")
    .optional()
    .describe("Its name in logs and records. Default: its number, counted from 1."),
  key: credential,
  weight: z.number().min(0).max(1_000).default(1).describe("Its share of the conversations."),
});

const nameOf = (one: string | { name?: string | undefined }, at: number): string =>
  (typeof one === "string" ? undefined : one.name) ?? String(at + 1);
const keyOf = (one: string | { key: string }): string => (typeof one === "string" ? one : one.key);
const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** One credential, or several among which requests are distributed. */
export const credentials = z.union([
  credential,
  z
    .array(z.union([credential, namedCredential]))
    .min(1)
    .max(100)
    .refine((list) => areDistinct(list.map(nameOf)), { error: "two of them have the same name" })
    .refine((list) => areDistinct(list.map(keyOf)), { error: "two of them are the same key" })
    .refine((list) => list.some((one) => typeof one === "string" || one.weight > 0), {
      error: "one of them needs a weight above 0",
    }),
]);

export const headers = z.record(headerName, headerValue);

export const auth = z.strictObject({ header: headerName, scheme: headerValue.optional() });

const address = z.url({ protocol: /^https?$/ });
/** An address to which a secret is sent. */
const protectedAddress = address.refine(isProtectedUrl, { error: UNPROTECTED });
const word = z.string().min(1);

/** The ways to authenticate to a provider without a fixed key. */
export const identities = [
  z.strictObject({
    kind: z.literal("aws").describe("Signs each call with keys of an account (Signature Version 4)."),
    region: word,
    accessKeyId: word,
    secretAccessKey: word,
    sessionToken: word.optional().describe("Of temporary keys."),
    service: word
      .optional()
      .describe("The service that is signed for. Default: bedrock-mantle or bedrock, by the host."),
  }),
  z.strictObject({
    kind: z.literal("google").describe("Tokens of a service account."),
    serviceAccount: z
      .string()
      .refine(isServiceAccount, {
        error: "must be the text of a service account's key file, with an https token_uri",
      })
      .optional()
      .describe("The text of its key file. Default: the machine's own account, by the metadata server."),
    scope: word.optional(),
    metadata: address.optional().describe("The address of the metadata server."),
  }),
  z
    .strictObject({
      kind: z.literal("azure").describe("Tokens of an application, or of the machine's managed identity."),
      tenantId: word.optional(),
      clientId: word.optional(),
      clientSecret: word.optional(),
      scope: word.optional().describe("Default: https://cognitiveservices.azure.com/.default"),
      authority: protectedAddress.optional().describe("The address of the issuer of tokens."),
      metadata: address.optional().describe("The address of the metadata server."),
    })
    .refine(
      ({ tenantId, clientId, clientSecret }) =>
        (tenantId === undefined) === (clientSecret === undefined) &&
        (tenantId === undefined || clientId !== undefined),
      {
        error: "needs tenantId, clientId and clientSecret for an application, and at most clientId without",
      },
    ),
] as const;

/** Checks whether a text is the key file of a service account, whose tokens come from a protected address. */
export function isServiceAccount(text: string): boolean {
  const account = readServiceAccount(text);
  return account !== undefined && isProtectedUrl(account.tokenUri);
}

/** The origin of a provider. Parts that calls would leave out, such as a query, are refused. */
export const origin = z
  .url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" })
  .refine((text) => !/[?#]/.test(text), {
    error: "must end with its path: a query or a fragment is never sent",
  })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), {
    error: "must hold no name and no password: the credential is the 'key'",
  })
  .refine(isProtectedUrl, { error: UNPROTECTED });
