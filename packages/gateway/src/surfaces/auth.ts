import { z } from "zod";
import { noteRefused } from "../account/audit.ts";
import { hashPassword, isPassword } from "../account/password.ts";
import { trySignIn } from "../account/sign-in-limits.ts";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Surface } from "../route.ts";
import { token } from "./shapes/account.ts";

const credentials = z.object({ account: z.string().min(1).max(256), password: z.string().min(1).max(256) });

async function signIn(context: Context, { account: login, password }: z.infer<typeof credentials>) {
  const { exchange, services } = context;
  const { sessions, store } = services;
  if (!sessions?.issue) throw new Refusal("no_sign_in", "Sessions are not issued here.");
  const address = services.addressOf(exchange);
  const { wait, right: clear } = await trySignIn(store.attempts, { login, address, at: services.now() });
  if (wait > 0)
    throw new Refusal("too_many_tries", "Too many tries to sign in.", {
      headers: { "retry-after": String(Math.ceil(wait / 1000)), "x-should-retry": "false" },
    });
  const found = await store.accounts.findLogin(login);
  // An unknown name costs as much time as a wrong password, and is answered like one.
  const right = await isPassword(password, found?.passwordHash ?? (await nobody()));
  if (!found?.account.isActive || !right) {
    await noteRefused(context, "sign_in_refused", login);
    throw new Refusal("wrong_credentials", "Wrong account or password.");
  }
  await clear();
  const { token, expiresAt } = await sessions.issue(found.account.id);
  return {
    body: { token, tokenType: "Bearer", expiresAt: new Date(expiresAt).toISOString() },
  };
}

let made: Promise<string> | undefined;
const nobody = (): Promise<string> => {
  made ??= hashPassword("nobody");
  return made;
};

async function signOut({ services, caller }: Context) {
  const { id, until } = caller.session ?? {};
  // A session of an access that is not ours cannot be ended here.
  if (id === undefined || until === undefined)
    throw new Refusal("no_sign_in", "Sessions are not ended here.");
  await services.store.endedSessions.add(id, until);
  services.access.forget();
  return { body: { signedOut: true } };
}

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
      handler: (context, { body }) => signIn(context, body),
    }),
    defineRoute({
      method: "POST",
      path: "/sign-out",
      access: "session",
      summary: "End the session of the token that is sent; others go on",
      answer: z.object({ signedOut: z.literal(true) }),
      examples: { "sign out": {} },
      handler: (context) => signOut(context),
    }),
  ],
};
