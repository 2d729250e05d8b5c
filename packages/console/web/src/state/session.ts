import { signal } from "@preact/signals";
import { type Answer, ApiError, call, listenToRefusals } from "../api/client.ts";

export type Session = Answer<"/api/auth/session">;

/** The session; `undefined` until it is known, `null` if no account is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** The operator's name; `null` where none is signed in. */
export const operator = signal<string | null>(null);
/** A session ended while a page was open: sign-in is asked for over the page, which keeps what was typed. */
export const hasEnded = signal(false);
/** The same of the operator's session, which lasts an hour. */
export const hasOperatorEnded = signal(false);
/** What a first-run link was refused with. */
export const linkFault = signal<string | undefined>(undefined);

/** What an address says if it is about something of another account, which operators see. */
export const ofWhom = (account: string | undefined): { of?: "all" } =>
  account === undefined || account === session.value?.accountId ? {} : { of: "all" };

const nullIfSignedOut = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
};

/** Whether this browser keeps a session: over plain HTTP it does so only where the service lets it. */
export const keepsSession = signal(true);

/** Finds out who is signed in, by the link of a first start where the address carries one. */
export async function openSession(): Promise<void> {
  if (!isSecureContext) {
    keepsSession.value = (await call("get", "/api/auth/cookies")).insecure;
    if (!keepsSession.value) {
      session.value = null;
      return;
    }
  }
  const once = /^#once=([\w-]+)$/.exec(location.hash)?.[1];
  if (once !== undefined) {
    // The token must not stay in the history.
    history.replaceState(null, "", location.pathname);
    try {
      await call("post", "/api/auth/session", { body: { once } });
      await call("post", "/api/auth/operator", { body: { once } }).catch(nullIfSignedOut);
    } catch (error) {
      linkFault.value = (error as Error).message;
    }
  }
  const [who, name] = await Promise.all([
    call("get", "/api/auth/session").catch(nullIfSignedOut),
    call("get", "/api/auth/operator").catch(nullIfSignedOut),
  ]);
  operator.value = name?.operator ?? null;
  session.value = who;
}

export async function signIn(account: string, password: string): Promise<void> {
  adopt(await call("post", "/api/auth/session", { body: { account, password } }));
  hasEnded.value = false;
}

/** Goes on with a session. That of another account gets a new page: this one shows what is not its own. */
function adopt(who: Session): void {
  if (session.value && session.value.accountId !== who.accountId) location.assign("/console");
  else session.value = who;
}

export async function signInOperator(key: string): Promise<void> {
  operator.value = (await call("post", "/api/auth/operator", { body: { key } })).operator;
  hasOperatorEnded.value = false;
}

/** Ends the operator's session; the account's goes on. */
export async function endOperator(): Promise<void> {
  await call("delete", "/api/auth/operator").catch(nullIfSignedOut);
  operator.value = null;
  hasOperatorEnded.value = false;
}

export async function signOut(): Promise<void> {
  if (operator.value !== null) await call("delete", "/api/auth/operator").catch(nullIfSignedOut);
  await call("delete", "/api/auth/session").catch(nullIfSignedOut);
  location.assign("/console");
}

/** Keeps the session alive while the page is in use. */
export function keepAlive(): void {
  setInterval(() => {
    if (session.value && !document.hidden) call("get", "/api/auth/session").then(adopt, () => {});
  }, 300_000);
}

listenToRefusals(({ status, code, path = "" }) => {
  if (status !== 401 || (code !== "unauthorized" && code !== "invalid_api_key")) return;
  if (path.startsWith("/api/admin/")) hasOperatorEnded.value = operator.value !== null;
  else if (path !== "/api/auth/operator" && session.value) hasEnded.value = true;
});
