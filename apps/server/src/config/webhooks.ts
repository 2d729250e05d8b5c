import { createHash } from "node:crypto";
import { isWebhookSecret, WEBHOOK_EVENTS, type WebhookEndpoint } from "@manifold-gateway/gateway";
import { isProtectedUrl } from "@manifold-gateway/providers";
import { toMicro } from "@manifold-gateway/store";
import { z } from "zod";
import { ownerName } from "./names.ts";
import { type Problem, problemAt } from "./problem.ts";
import { UNPROTECTED } from "./wire.ts";

const secret = z.string().refine(isWebhookSecret, {
  error: "must be whsec_ and 24 to 64 bytes in base64, as 'openssl rand -base64 32' makes",
});

/** The address of an endpoint of the operator. */
export const endpointUrl = z
  .url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" })
  .refine((text) => !text.includes("#"), { error: "must hold no fragment: it is never sent" })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), { error: "must hold no name and no password" })
  .refine(isProtectedUrl, { error: UNPROTECTED });

/** What signs the requests to it. */
export const endpointSecret = z
  .union([secret, z.array(secret).min(1).max(4)])
  .describe(
    "Signs what is sent: whsec_ and base64. Of a list each signs, while one is exchanged for another.",
  );

const webhook = z.strictObject({
  name: ownerName.optional().describe("For logs and metrics. Default: the host and a few digits of a hash."),
  url: endpointUrl,
  secret: endpointSecret,
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .default([...WEBHOOK_EVENTS]),
  account: ownerName
    .optional()
    .describe("Only events of this account: its name in this file, or its id. Default: of all."),
  lowBalance: z
    .number()
    .min(0.000001)
    .max(1_000_000_000)
    .default(5)
    .describe("US dollars: a balance that falls below it is an event."),
});

/** The endpoints that receive events. */
export const webhooks = z.array(webhook).max(50).default([]);

/** An endpoint's default name, without the path of its URL, which may contain a secret. */
const nameOf = (url: string): string =>
  `${new URL(url).host}-${createHash("sha256").update(url).digest("hex").slice(0, 6)}`;

/** Converts endpoints to the gateway's form; `accountOf` returns the id of an account by its name. */
export const toWebhooks = (
  of: z.output<typeof webhooks>,
  accountOf: (name: string) => string = (id) => id,
): WebhookEndpoint[] =>
  of.map(({ name, url, secret, events, account, lowBalance }) => ({
    id: name ?? nameOf(url),
    url,
    secrets: Array.isArray(secret) ? secret : [secret],
    events,
    ...(account !== undefined && { account: accountOf(account) }),
    lowBalance: toMicro(lowBalance),
  }));

/** The names of endpoints, in their order. */
export const webhookNames = (of: z.output<typeof webhooks>): string[] => toWebhooks(of).map(({ id }) => id);

/** Finds names that two endpoints have. */
export function problemsOfWebhooks(of: z.output<typeof webhooks>): Problem[] {
  const ids = webhookNames(of);
  return ids.flatMap((id, at) =>
    ids.indexOf(id) < at ? [problemAt(["webhooks", at, "name"], `another one is '${id}'`)] : [],
  );
}
