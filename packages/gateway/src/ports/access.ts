import type { Restrictions, Sealed } from "@manifold-gateway/store";

/** The author of a request: a key or a session, of an account. */
export interface Caller {
  accountId: string;
  /** Of a key; a session has none, and therefore no caps. */
  keyId?: string;
  keyName?: string;
  /** Restrictions of the key. Absent: all that keys may. */
  restrictions?: Restrictions;
  session?: Session;
}

/** A person who signed in. */
export interface Session {
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** By which it can be ended before its time, `until` when it goes on else. */
  id?: string;
  until?: number;
}

/** Identifies callers by their credentials. */
export interface Access {
  /** The caller that a raw key belongs to; nothing for keys that are unknown, revoked or disabled. */
  byKey(key: string): Promise<Caller | undefined> | Caller | undefined;
  /** The caller that a JWT speaks for; nothing where it is not valid here, or its account is not active. */
  byToken(token: string): Promise<Caller | undefined> | Caller | undefined;
  /** The caller of a session in a browser. Absent: there are none. */
  byCookie?(token: string): Promise<Caller | undefined> | Caller | undefined;
  /**
   * The same caller as the playground of its account, which the surfaces of models let in, and which may spend a dollar
   * a day.
   */
  byPlayground?(token: string): Promise<Caller | undefined> | Caller | undefined;
  /** Cookies go over plain HTTP as well. */
  insecureCookies?: boolean;
  /** The sessions of operators in a browser. Absent: there are none. */
  operatorSessions?: OperatorSessions;
  /** The name of the operator whose credential this is, compared in constant time. */
  operatorOf(credential: string): string | undefined;
  /** Lets go of what is remembered of callers: to be called after any change of keys or accounts. */
  forget(): void;
}

/**
 * The callers that a route admits. `open`: anyone, unasked. `key`: API keys, and the console's playground. `caller`:
 * keys and sessions. `session`: those who signed in. `operator`: an operator of the service.
 */
export type Admits = "open" | "key" | "caller" | "session" | "operator";

/** A place beside the two that hold everywhere. */
export interface CredentialPlace {
  in: "header" | "query";
  name: string;
}

/** An admitted party: a caller, or an operator by name; neither on open routes. */
export interface Admitted {
  caller?: Caller;
  operator?: string;
}

/** Keeps raw keys so that only this deployment can read them again. */
export interface KeyVault {
  seal(key: string, keyId: string): Sealed;
  /** Nothing where the secret that sealed it is not here any more. */
  open(sealed: Sealed, keyId: string): string | undefined;
}

/** The claims of a valid token. Times are milliseconds since the epoch. */
export interface Verified {
  accountId: string;
  /** A hash of its `jti`, or of all that is signed where it has none. */
  id: string;
  issuedAt: number;
  /** From when on it is not valid any more. */
  until: number;
  /** The fingerprint of the account's password when the session began, empty where it had none; only of our tokens. */
  password?: string;
}

/** Judges tokens, and makes them where the service has the secret that they are signed by. */
export interface Sessions {
  verify(token: string): Promise<Verified | undefined>;
  /** Begins a session that ends with the password of this fingerprint, or with the first one where it has none. */
  issue?(accountId: string, password?: string): Promise<Issued>;
  /** The same session for longer: it can still be ended by its id, and is as old as its first token. */
  renew?(token: string): Promise<Issued | undefined>;
}

/** A token and when it expires, in milliseconds since the epoch. */
export interface Issued {
  token: string;
  expiresAt: number;
}

/** Makes and judges the tokens by which an operator stays signed in in a browser. */
export interface OperatorSessions {
  /** Returns nothing for a credential that no operator has. */
  issue(credential: string): Promise<(Issued & { name: string }) | undefined>;
  verify(token: string): Promise<{ name: string; expiresAt: number } | undefined>;
  /** Ends the session of a valid token before its time, in every process. */
  end(token: string): Promise<void>;
}
