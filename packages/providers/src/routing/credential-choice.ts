import type { Credential } from "../credentials.ts";

/** The credentials of one provider that a request may use. */
export interface CredentialChoice {
  /** The credentials to choose from. */
  credentials: readonly Credential[];
  /** The key of credential affinity: the conversation, if there is one. Equal keys get the same credential. */
  identity(): string;
  /** The name of the credential to use if it is healthy. */
  preferred?: string | undefined;
}

/** `denied`: the provider refused it. `cooling`: it is in a pause that the provider requested. */
export interface CredentialHealth {
  /** Whether it can be used. */
  state: "ready" | "denied" | "cooling";
  /** When the credential is tried again, in milliseconds since the epoch. */
  until?: number;
  /** The status of the refusal. */
  status?: number;
}

/** The health of the credentials of providers that have several, in this process. */
export interface CredentialPool {
  /** The health of a credential. */
  of(credential: Credential): CredentialHealth;
  /** The number of calls that it was picked for. */
  callsOf(credential: Credential): number;
  /**
   * Picks the credential for a call by the identity, healthy credentials first. If others were `tried`, picks a
   * healthy one or none.
   */
  pick(choice: CredentialChoice, tried?: readonly Credential[]): Credential | undefined;
  /** The credential that `pick` would choose now, without counting a call. */
  peek(choice: CredentialChoice): Credential | undefined;
  /** Milliseconds until the first of the credentials is tried again; 0 if one is healthy. */
  pauseOf(credentials: readonly Credential[]): number;
  /** Records that a provider accepted it. */
  accepted(provider: string, credential: Credential): void;
  /** Records that a provider refused it, with this status. */
  denied(provider: string, credential: Credential, status: number): void;
  /** The provider requested a pause; `seconds` is absent if it did not say how long. */
  cool(credential: Credential, seconds: number | undefined): void;
}
