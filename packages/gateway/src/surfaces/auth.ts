import { z } from "zod";
import { accountOf, credentials, endSession } from "../account/sign-in.ts";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import { defineRoute, type Surface } from "../route.ts";
import { sessionRoutes } from "./session.ts";
import { token } from "./shapes/account.ts";

/** Routes for signing in, if the service issues its own sessions. */
export const authSurface: Surface = {
  name: "auth",
  about: "Signing in, if the service issues its own sessions.",
  prefix: "/api/auth",
  routes: [
    defineRoute({
      method: "POST",
      path: "/sign-in",
      access: "open",
      summary: "Sign in with account and password; the response contains a token",
      about:
        "Failed sign-ins are counted by login and by network. After ten for a login, each further one has to wait twice as long as the previous one, at most 15 minutes: `429`. The content type has to be `application/json`.",
      strictType: true,
      body: credentials,
      answer: token,
      examples: { "sign in": { body: { account: "ada", password: "correct horse battery" } } },
      uses: ["addressOf", "log", "now", "refusals", "sessions", "store"],
      async handler(context, { body }) {
        const { sessions } = context.services;
        if (!sessions?.issue) throw new Refusal("no_sign_in", "This service does not issue sessions.");
        const { id, passwordFingerprint } = await accountOf(context, body);
        const { token, expiresAt } = await sessions.issue(id, passwordFingerprint);
        return { body: { token, tokenType: "Bearer", expiresAt: momentOf(expiresAt) } };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/sign-out",
      access: "session",
      summary: "Sign out: end the session of the token; other sessions remain",
      answer: z.object({ signedOut: z.literal(true) }),
      examples: { "sign out": {} },
      uses: ["access", "store"],
      async handler(context) {
        await endSession(context);
        return { body: { signedOut: true } };
      },
    }),
    ...sessionRoutes,
  ],
};
