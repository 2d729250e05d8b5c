import type { Caps, Restrictions, RestrictionsChange, Sealed } from "@manifold-gateway/store";

/** The author of a request: an API key, or a session of an account. */
export interface Caller {
  /** The account that is charged. */
  accountId: string;
  /** The key's id. A session has none, and therefore no caps. */
  keyId?: string;
  /** The key's name, for logs and records. */
  keyName?: string;
  /** The restrictions of the key. Absent: none. */
  restrictions?: Restrictions;
  /** The session of a caller who signed in, instead of sending a key. */
  session?: Session;
  /** When the use of its key was last noted, in ms; written by the request that notes it. */
  usedAt?: number;
}

/** The session of a person who signed in. */
export interface Session {
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** The id by which the session can be ended before `until`, when it ends by itself. */
  id?: string;
  until?: number;
}

/** The caps and restrictions of a new key where its request does not name others. */
export interface KeyDefaults {
  /** US dollars. */
  caps?: { [cap in keyof Caps]?: number | undefined };
  /** In the store's form. */
  restrictions?: RestrictionsChange;
}

/** Identifies callers and operators by their credentials. */
export interface Access {
  /**
   * Finds the caller of a raw key; `undefined` for keys that are unknown or revoked. Throws `InactiveKey` for one that is
   * disabled.
   */
  byKey(key: string): Promise<Caller | undefined> | Caller | undefined;
  /** Finds the caller of a JWT; `undefined` if the token is invalid or its account is not active. */
  byToken(token: string): Promise<Caller | undefined> | Caller | undefined;
  /** Finds the caller of a browser's session. Absent: there are no such sessions. */
  byCookie?(token: string): Promise<Caller | undefined> | Caller | undefined;
  /** Finds the same caller as the playground of its account, which may call models and spend a dollar a day. */
  byPlayground?(token: string): Promise<Caller | undefined> | Caller | undefined;
  /** Cookies are sent over plain HTTP as well. */
  insecureCookies?: boolean;
  /** The sessions of operators in browsers. Absent: there are none. */
  operatorSessions?: OperatorSessions;
  /** The name of the operator with this credential, which is compared in constant time. */
  operatorOf(credential: string): string | undefined;
  /** Forgets cached callers. Call it after every change of keys or accounts. */
  forget(): void;
}

/**
 * The callers that a route admits. `open`: anyone, without a credential. `key`: API keys, and the console's
 * playground. `caller`: keys and sessions. `session`: people who signed in. `operator`: an operator of the service.
 */
export type Admits = "open" | "key" | "caller" | "session" | "operator";

/** A place for credentials that only one surface has, besides the two places that all have. */
export interface CredentialPlace {
  in: "header" | "query";
  name: string;
}

/** An admitted party: a caller, or an operator by name; neither on open routes. */
export interface Admitted {
  caller?: Caller;
  operator?: string;
}

/** Encrypts raw keys so that only this deployment can read them again. */
export interface KeyVault {
  /** Encrypts a key so that its owner can see it again; `id` is bound into it. */
  seal(key: string, keyId: string): Sealed;
  /** `undefined` if the secret that encrypted it is no longer configured. */
  open(sealed: Sealed, keyId: string): string | undefined;
}

/** The claims of a valid token. Times are milliseconds since the epoch. */
export interface Verified {
  accountId: string;
  /** A hash of the token's `jti`, or of all that is signed if it has none. */
  id: string;
  issuedAt: number;
  /** The time from which it is no longer valid. */
  until: number;
  /**
   * The fingerprint of the account's password when the session began; empty without a password. Only in our own
   * tokens.
   */
  password?: string;
}

/** Verifies session tokens, and issues them if the service has the secret. */
export interface Sessions {
  verify(token: string): Promise<Verified | undefined>;
  /**
   * Issues a token. Its session ends when the password with this fingerprint changes or, without one, when the
   * account gets its first password.
   */
  issue?(accountId: string, password?: string): Promise<Issued>;
  /** Extends a session: the new token has the same id and counts its age from the session's first token. */
  renew?(token: string): Promise<Issued | undefined>;
}

/** A token and its expiry, in milliseconds since the epoch. */
export interface Issued {
  token: string;
  expiresAt: number;
}

/** Issues and verifies the tokens by which an operator stays signed in in a browser. */
export interface OperatorSessions {
  /** Returns `undefined` if no operator has this credential. */
  issue(credential: string): Promise<(Issued & { name: string }) | undefined>;
  verify(token: string): Promise<{ name: string; expiresAt: number } | undefined>;
  /** Ends the session of a valid token early, in every process. */
  end(token: string): Promise<void>;
}
