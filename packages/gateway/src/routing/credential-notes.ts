import type { Credential } from "@manifold-gateway/providers";
import type { CredentialPool } from "../ports/routing.ts";

/** A call with a credential, and the status of its answer. */
export interface CredentialCall {
  credential: Credential;
  status: number | undefined;
}

/** Notes what a refusal says of the credential. `pause`: seconds, as the provider asked. */
export function noteRefused(
  pool: CredentialPool,
  provider: string,
  { credential, status }: CredentialCall,
  pause: number | undefined,
): void {
  if (status === 429) pool.cool(credential, pause);
  // Of the others the request may be to blame as well: that another credential is accepted tells.
  else if (status === 401) pool.denied(provider, credential, status);
}

/** Notes that a credential was accepted, and that those which were refused for the same request are to blame. */
export function noteAccepted(
  pool: CredentialPool,
  provider: string,
  credential: Credential,
  refused: readonly CredentialCall[],
): void {
  pool.accepted(provider, credential);
  for (const { credential: other, status } of refused)
    if (status === 402 || status === 403) pool.denied(provider, other, status);
}
