import { type Answer, call } from "../api/client.ts";

export type Key = Answer<"/api/compat/v1/api-keys">["results"][number];
export type Restrictions = NonNullable<Key["restrictions"]>;
type Caps = Record<"daily" | "weekly" | "monthly" | "total", number | null>;

/** What can be done with the keys of an account, by its own session or by an operator. */
export interface KeyCalls {
  list(signal: AbortSignal): Promise<{ results: Key[] }>;
  /** The raw key. */
  create(name: string, limits: Caps, restrictions: Restrictions): Promise<string>;
  setActive(keyId: string, isActive: boolean): Promise<unknown>;
  setCaps(keyId: string, caps: Caps): Promise<unknown>;
  /** `null` lifts a restriction. */
  restrict(keyId: string, restrictions: Restrictions): Promise<unknown>;
  revoke(keyId: string): Promise<unknown>;
}

const SPEND = { with: "spend" } as const;

/** The keys of the account that signed in. */
export const accountKeys: KeyCalls = {
  list: (signal) => call("get", "/api/compat/v1/api-keys", { query: SPEND, signal }),
  create: async (name, limits, restrictions) =>
    (await call("post", "/api/compat/v1/api-keys", { body: { name, limits, restrictions } })).key,
  setActive: (keyId, isActive) =>
    call("patch", "/api/compat/v1/api-keys/{keyId}", { path: { keyId }, body: { isActive } }),
  setCaps: (keyId, body) =>
    call("patch", "/api/compat/v1/api-keys/{keyId}/usage-limit", { path: { keyId }, body }),
  restrict: (keyId, restrictions) =>
    call("patch", "/api/compat/v1/api-keys/{keyId}", { path: { keyId }, body: { restrictions } }),
  revoke: (keyId) => call("delete", "/api/compat/v1/api-keys/{keyId}", { path: { keyId } }),
};

/** The keys of any account, for operators. */
export const keysOf = (accountId: string): KeyCalls => ({
  list: (signal) =>
    call("get", "/api/admin/accounts/{accountId}/api-keys", { path: { accountId }, query: SPEND, signal }),
  create: async (name, limits, restrictions) =>
    (
      await call("post", "/api/admin/accounts/{accountId}/api-keys", {
        path: { accountId },
        body: { name, limits, restrictions },
      })
    ).key,
  setActive: (keyId, isActive) =>
    call("patch", "/api/admin/accounts/{accountId}/api-keys/{keyId}", {
      path: { accountId, keyId },
      body: { isActive },
    }),
  setCaps: (keyId, body) =>
    call("patch", "/api/admin/accounts/{accountId}/api-keys/{keyId}/usage-limit", {
      path: { accountId, keyId },
      body,
    }),
  restrict: (keyId, restrictions) =>
    call("patch", "/api/admin/accounts/{accountId}/api-keys/{keyId}", {
      path: { accountId, keyId },
      body: { restrictions },
    }),
  revoke: (keyId) =>
    call("delete", "/api/admin/accounts/{accountId}/api-keys/{keyId}", { path: { accountId, keyId } }),
});
