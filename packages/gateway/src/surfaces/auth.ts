import { z } from "zod";
import { accountOf, credentials, endSession } from "../account/sign-in.ts";
import { Refusal } from "../http/refusal.ts";
import { defineRoute, type Surface } from "../route.ts";
import { sessionRoutes } from "./session.ts";
import { token } from "./shapes/account.ts";

/** Signing in, where the service issues its own sessions. */
export const authSurface: Surface = {
  name: "auth",
  about: "Signing in, where the service issues its own sessions.",
  prefix: "/api/auth",
  routes: [
    defineRoute({
      method: "POST",
      path: "/sign-in",
      access: "open",
      summary: "Sign in with account and password; the answer holds a token",
      about:
        "Wrong tries are counted for the login and for the network. After ten for a login each further one has to wait, twice as long as the one before, 15 minutes at most: `429`. The content type has to be `application/json`.",
      strictType: true,
      body: credentials,
      answer: token,
      examples: { "sign in": { body: { account: "ada", password: "correct horse battery" } } },
      async handler(context, { body }) {
        const { sessions } = context.services;
        if (!sessions?.issue) throw new Refusal("no_sign_in", "Sessions are not issued here.");
        const { id } = await accountOf(context, body);
        const { token, expiresAt } = await sessions.issue(id);
        return { body: { token, tokenType: "Bearer", expiresAt: new Date(expiresAt).toISOString() } };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/sign-out",
      access: "session",
      summary: "Sign out: end the session of the token; others go on",
      answer: z.object({ signedOut: z.literal(true) }),
      examples: { "sign out": {} },
      async handler(context) {
        await endSession(context);
        return { body: { signedOut: true } };
      },
    }),
    ...sessionRoutes,
  ],
};
