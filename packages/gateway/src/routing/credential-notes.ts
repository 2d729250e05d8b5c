import type { Credential } from "@manifold-gateway/providers";
import type { CredentialPool } from "../ports/routing.ts";

/** A call with a credential, and the status of its answer. */
export interface CredentialCall {
  credential: Credential;
  status: number | undefined;
}

/** Records that a provider refused a call with the credential. `pause`: the seconds that it demanded. */
export function noteRefused(
  pool: CredentialPool,
  provider: string,
  { credential, status }: CredentialCall,
  pause: number | undefined,
): void {
  if (status === 429) pool.cool(credential, pause);
  // With other statuses the request may be to blame, unless another credential is then accepted.
  else if (status === 401) pool.denied(provider, credential, status);
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
    if (status === 402 || status === 403) pool.denied(provider, other, status);
}
