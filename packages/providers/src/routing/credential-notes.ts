import type { Credential } from "../credentials.ts";
import type { CredentialPool } from "./credential-choice.ts";
import { credentialFaultOf } from "./verdict.ts";

/** A call with a credential, and the status of its answer. */
export interface CredentialCall {
  /** The credential of the call. */
  credential: Credential;
  /** The status of the answer. */
  status: number;
}

/** Records that a provider refused a call with the credential. `pause`: the seconds that it demanded. */
export function noteRefused(
  pool: CredentialPool,
  provider: string,
  { credential, status }: CredentialCall,
  pause: number | undefined,
): void {
  const fault = credentialFaultOf(status);
  if (fault === "exhausted") pool.cool(credential, pause);
  else if (fault === "denied") pool.denied(provider, credential, status);
}

/** Records that a credential was accepted: those refused for the same request are then to blame. */
export function noteAccepted(
  pool: CredentialPool,
  provider: string,
  credential: Credential,
  refused: readonly CredentialCall[],
): void {
  pool.accepted(provider, credential);
  for (const { credential: other, status } of refused)
    if (credentialFaultOf(status) === "suspected") pool.denied(provider, other, status);
}
