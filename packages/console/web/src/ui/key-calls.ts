import { type Answer, call } from "../api/client.ts";

export type Key = Answer<"/api/compat/v1/api-keys">["results"][number];
export type Restrictions = NonNullable<Key["restrictions"]>;
/** What new keys have unless their request says otherwise. */
export type KeyDefaults = NonNullable<Answer<"/api/compat/v1/api-keys">["defaults"]>;
export type Caps = Record<"daily" | "weekly" | "monthly" | "total", number | null>;

/** What can be done with the keys of an account, by its own session or by an operator. */
export interface KeyCalls {
  list(signal: AbortSignal): Promise<{ results: Key[]; defaults?: KeyDefaults | undefined }>;
  /** The new key with its text, which no other answer has. */
  create(name: string, limits: Caps, restrictions: Restrictions): Promise<{ id: string; key: string }>;
  rename(keyId: string, name: string): Promise<unknown>;
  setActive(keyId: string, isActive: boolean): Promise<unknown>;
  setCaps(keyId: string, caps: Caps): Promise<unknown>;
  /** `null` lifts a restriction. */
  restrict(keyId: string, restrictions: Restrictions): Promise<unknown>;
  revoke(keyId: string): Promise<unknown>;
}

const SPEND = { with: "spend" } as const;

/** The keys of any account, for operators; without an id those of the account that signed in. */
export function keysOf(accountId?: string): KeyCalls {
  const all =
    accountId === undefined
      ? "/api/compat/v1/api-keys"
      : ("/api/admin/accounts/{accountId}/api-keys" as const);
  const one = `${all}/{keyId}` as const;
  const path = { accountId };
  const of = (keyId: string) => ({ accountId, keyId });
  return {
    list: (signal) => call("get", all, { path, query: SPEND, signal }),
    create: (name, limits, restrictions) => call("post", all, { path, body: { name, limits, restrictions } }),
    rename: (keyId, name) => call("patch", one, { path: of(keyId), body: { name } }),
    setActive: (keyId, isActive) => call("patch", one, { path: of(keyId), body: { isActive } }),
    setCaps: (keyId, body) => call("patch", `${one}/usage-limit`, { path: of(keyId), body }),
    restrict: (keyId, restrictions) => call("patch", one, { path: of(keyId), body: { restrictions } }),
    revoke: (keyId) => call("delete", one, { path: of(keyId) }),
  };
}

/** The keys of the account that signed in. */
export const accountKeys = keysOf();
