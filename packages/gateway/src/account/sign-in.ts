import type { Account } from "@manifold-gateway/store";
import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import type { Issued } from "../ports/access.ts";
import type { Context, RequestContext } from "../ports/context.ts";
import { noteRefused, type Refusing } from "./audit.ts";
import { hashPassword, isPassword } from "./password.ts";
import { COOKIE_LONGEST } from "./sessions.ts";
import { tryKey, trySignIn } from "./sign-in-limits.ts";

const word = z.string().min(1).max(256);
export const credentials = z.strictObject({ account: word, password: word });

/** Finds the account of a login and a password; every try counts against the login and the network. */
export async function accountOf(
  context: Refusing,
  { account: login, password }: z.infer<typeof credentials>,
): Promise<Account> {
  const { store, addressOf, now } = context.services;
  const address = addressOf(context.exchange);
  const { wait, right: clear } = await trySignIn(store.attempts, { login, address, at: now() });
  if (wait > 0) throw tooManyTries(wait);
  const found = await store.accounts.findLogin(login);
  // An unknown name takes as long as a wrong password and gets the same reply.
  const right = await isPassword(password, found?.passwordHash ?? (await noHash()));
  if (!found?.account.isActive || !right) {
    await noteRefused(context, "sign_in_refused", found ? login : shortened(login));
    throw new Refusal("wrong_credentials", "Wrong account or password.");
  }
  await clear();
  return found.account;
}

/** Shortens a login for the logs, since it may be a password that was typed into the wrong field. */
const shortened = (text: string): string => `${text.slice(0, 2)}…`;

/** Opens an operator's session if the key is right; every try counts against the network. */
export async function operatorSessionOf(
  context: Refusing & Pick<RequestContext<"access">, "services">,
  key: string,
): Promise<Issued & { name: string }> {
  const { store, access, addressOf, now } = context.services;
  const address = addressOf(context.exchange);
  const { wait, right } = await tryKey(store.attempts, { address, at: now() });
  if (wait > 0) throw tooManyTries(wait);
  const issued = await access.operatorSessions?.issue(key);
  if (!issued) {
    await noteRefused(context, "operator_refused");
    throw new Refusal("wrong_credentials", "The operator's credential is not valid.");
  }
  await right();
  return issued;
}

/**
 * Logs a request's wrong operator credential and counts it as a failed sign-in. Throws if the network has had too
 * many of them. Right credentials are never delayed.
 */
export async function refusedOperator(context: Refusing): Promise<void> {
  const { store, addressOf, now } = context.services;
  await noteRefused(context, "operator_refused");
  const { wait } = await tryKey(store.attempts, { address: addressOf(context.exchange), at: now() });
  if (wait > 0) throw tooManyTries(wait);
}

const tooManyTries = (wait: number): Refusal =>
  new Refusal("too_many_tries", "Too many failed sign-ins.", {
    headers: { "retry-after": String(Math.ceil(wait / 1000)), "x-should-retry": "false" },
  });

let dummyHash: Promise<string> | undefined;
const noHash = (): Promise<string> => {
  dummyHash ??= hashPassword("nobody");
  return dummyHash;
};

/** Ends the caller's session. */
export async function endSession({ services, caller }: Context<"store" | "access">): Promise<void> {
  const { id, until, issuedAt = 0 } = caller.session ?? {};
  // A session from another issuer cannot be ended here.
  if (id === undefined || until === undefined)
    throw new Refusal("no_sign_in", "This service cannot end sessions.");
  // The session may have been renewed: ending it until its greatest age covers those tokens too.
  await services.store.endedSessions.add(id, Math.max(until, issuedAt + COOKIE_LONGEST * 1_000));
  services.access.forget();
}
