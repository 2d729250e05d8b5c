import type { Account } from "@manifold-gateway/store";
import { z } from "zod";
import { operatorCredential } from "../access/authenticate.ts";
import { cookie, tokenOf } from "../access/cookies.ts";
import { noteRefused } from "../account/audit.ts";
import { COOKIE_LIFE } from "../account/sessions.ts";
import { accountOf, credentials, endSession, operatorSessionOf } from "../account/sign-in.ts";
import { isLocal } from "../http/caller-address.ts";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import type { Issued } from "../ports/access.ts";
import type { BrowserSession } from "../ports/console.ts";
import type { RequestContext } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { browserSession } from "./shapes/account.ts";

const once = z.strictObject({ once: z.string().min(1).max(256).describe("The secret in a first-run link.") });
const operatorKey = z.strictObject({
  key: z.string().min(1).max(4096).describe("The operator's credential."),
});
const ended = z.object({ signedOut: z.literal(true) });

const cookieNote =
  "For the console's own pages: the session is in a cookie that scripts cannot read, and every change needs `x-console: 1` and the same origin.";

/** The age from which a session is renewed, in milliseconds. */
const RENEW = 300_000;

/**
 * The account or credential that a first-run link signs in: once, for ten minutes, and only on the machine itself.
 */
async function invited(
  context: RequestContext<"addressOf" | "console" | "log" | "now" | "refusals" | "store">,
  token: string,
  to: BrowserSession,
): Promise<string> {
  const { services, exchange } = context;
  const who = isLocal(services.addressOf(exchange))
    ? services.console?.invitation?.accept(token, to, services.now())
    : undefined;
  if (who !== undefined) return who;
  await noteRefused(context, "invitation_refused");
  throw new Refusal("invitation_over", "This link was used or has expired. A new start prints a new one.");
}

async function invitedAccount(
  context: RequestContext<"addressOf" | "console" | "log" | "now" | "refusals" | "store">,
  token: string,
): Promise<Pick<Account, "id" | "passwordFingerprint">> {
  const id = await invited(context, token, "session");
  return (await context.services.store.accounts.get(id)) ?? { id };
}

async function describe(context: RequestContext<"store">, accountId: string, expiresAt: number) {
  const account = await context.services.store.accounts.get(accountId);
  return {
    accountId,
    name: account?.name ?? accountId,
    ...(account?.login !== undefined && { login: account.login }),
    expiresAt: momentOf(expiresAt),
  };
}

const cookieHeaders = (
  { exchange, services: { access } }: RequestContext<"access">,
  name: BrowserSession,
  issued?: Issued,
): Record<string, string> => ({
  "set-cookie": cookie(exchange, access, name, issued),
});

/** Routes for the sessions in browsers, of accounts and operators. */
export const sessionRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/cookies",
    access: "open",
    quiet: true,
    summary: "Tell whether browsers keep sessions over plain HTTP",
    about: "For the console's sign-in page, which says what to do before a password is sent in vain.",
    answer: z.object({ insecure: z.boolean() }),
    examples: { all: { answer: { insecure: false } } },
    uses: ["access"],
    handler: ({ services }) => ({ body: { insecure: services.access.insecureCookies === true } }),
  }),
  defineRoute({
    method: "POST",
    path: "/session",
    access: "open",
    summary: "Sign in a browser by password or first-run link; the response sets a cookie",
    about: cookieNote,
    strictType: true,
    body: z.union([credentials, once]),
    answer: browserSession,
    examples: { "sign in": { body: { account: "ada", password: "correct horse battery" } } },
    uses: ["access", "addressOf", "console", "cookies", "log", "now", "refusals", "store"],
    async handler(context, { body }) {
      const issue = context.services.cookies?.issue;
      if (!issue) throw new Refusal("no_sign_in", "This service does not issue sessions.");
      const account = await ("once" in body ? invitedAccount(context, body.once) : accountOf(context, body));
      const issued = await issue(account.id, account.passwordFingerprint);
      return {
        headers: cookieHeaders(context, "session", issued),
        body: await describe(context, account.id, issued.expiresAt),
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/session",
    access: "session",
    quiet: true,
    summary: "Get the session of a browser, and renew it",
    about: cookieNote,
    answer: browserSession,
    examples: { current: {} },
    uses: ["access", "cookies", "now", "store"],
    async handler(context) {
      const { caller, services, exchange } = context;
      const { until = 0 } = caller.session ?? {};
      const token = services.cookies ? tokenOf(exchange, services.access, "session") : undefined;
      const isDue = until - services.now() < COOKIE_LIFE * 1000 - RENEW;
      const renewed = token !== undefined && isDue ? await services.cookies?.renew?.(token) : undefined;
      return {
        ...(renewed && { headers: cookieHeaders(context, "session", renewed) }),
        body: await describe(context, caller.accountId, renewed?.expiresAt ?? until),
      };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/session",
    access: "session",
    summary: "Sign a browser out; the response clears its cookie",
    answer: ended,
    examples: { "sign out": {} },
    uses: ["access", "store"],
    async handler(context) {
      await endSession(context);
      return { headers: cookieHeaders(context, "session"), body: { signedOut: true } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/operator",
    access: "open",
    summary: "Sign an operator in for an hour; the response sets a cookie",
    about: cookieNote,
    strictType: true,
    body: z.union([operatorKey, once]),
    answer: z.object({ operator: z.string(), expiresAt: z.iso.datetime() }),
    examples: { "by key": { body: { key: "operator-credential-0123456789abcdef" } } },
    uses: ["access", "addressOf", "console", "log", "now", "refusals", "store"],
    async handler(context, { body }) {
      const key = "once" in body ? await invited(context, body.once, "operator") : body.key;
      const issued = await operatorSessionOf(context, key);
      return {
        headers: cookieHeaders(context, "operator", issued),
        body: { operator: issued.name, expiresAt: momentOf(issued.expiresAt) },
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/operator",
    access: "operator",
    quiet: true,
    summary: "Get the name of the operator who is signed in",
    answer: z.object({ operator: z.string() }),
    examples: { current: {} },
    handler: ({ operator }) => ({ body: { operator } }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/operator",
    access: "operator",
    summary: "Sign an operator out; the response clears the cookie",
    answer: ended,
    examples: { "sign out": {} },
    uses: ["access"],
    async handler(context) {
      const { services, exchange } = context;
      // Only a request without a credential in a header belongs to a session that can be ended.
      const token =
        operatorCredential(exchange, false) === undefined
          ? tokenOf(exchange, services.access, "operator")
          : undefined;
      if (token !== undefined) await services.access.operatorSessions?.end(token);
      return { headers: cookieHeaders(context, "operator"), body: { signedOut: true } };
    },
  }),
];
