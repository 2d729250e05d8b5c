import type { Account } from "@manifold-gateway/store";
import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { noteRefused } from "./audit.ts";
import { hashPassword, isPassword } from "./password.ts";
import { trySignIn } from "./sign-in-limits.ts";

const word = z.string().min(1).max(256);
export const credentials = z.object({ account: word, password: word });

/** The account that a login and a password belong to; every try counts against the login and the network. */
export async function accountOf(
  context: Context,
  { account: login, password }: z.infer<typeof credentials>,
): Promise<Account> {
  const { store, addressOf, now } = context.services;
  const address = addressOf(context.exchange);
  const { wait, right: clear } = await trySignIn(store.attempts, { login, address, at: now() });
  if (wait > 0)
    throw new Refusal("too_many_tries", "Too many failed sign-ins.", {
      headers: { "retry-after": String(Math.ceil(wait / 1000)), "x-should-retry": "false" },
    });
  const found = await store.accounts.findLogin(login);
  // An unknown name costs as much time as a wrong password, and is answered like one.
  const right = await isPassword(password, found?.passwordHash ?? (await noHash()));
  if (!found?.account.isActive || !right) {
    await noteRefused(context, "sign_in_refused", login);
    throw new Refusal("wrong_credentials", "Wrong account or password.");
  }
  await clear();
  return found.account;
}

let made: Promise<string> | undefined;
const noHash = (): Promise<string> => {
  made ??= hashPassword("nobody");
  return made;
};

/** Ends the session that the caller came with. */
export async function endSession({ services, caller }: Context): Promise<void> {
  const { id, until } = caller.session ?? {};
  // A session of an access that is not ours cannot be ended here.
  if (id === undefined || until === undefined)
    throw new Refusal("no_sign_in", "This service cannot end sessions.");
  await services.store.endedSessions.add(id, until);
  services.access.forget();
}
