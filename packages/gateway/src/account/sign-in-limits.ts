import { createHash } from "node:crypto";
import type { AttemptPolicy, Store } from "@manifold-gateway/store";
import { networkOf } from "../http/caller-address.ts";

const SECOND = 1_000;
const QUARTER = 15 * 60 * SECOND;
/** The limit of one login: guessing its password is slowed to four tries an hour. */
const LOGIN: AttemptPolicy = { free: 10, pause: 2 * SECOND, longest: QUARTER, decay: QUARTER };
/** The limit of one network, shared by all its people: a hundred wrong tries in a quarter of an hour. */
const NETWORK: AttemptPolicy = { free: 100, pause: SECOND, longest: QUARTER, decay: QUARTER / 100 };
/** How long a network counts as known after a login has signed in from it. */
const NETWORK_MEMORY = 30 * 24 * 3_600 * SECOND;

/** A counted try to sign in. */
export interface SignInTry {
  /** Milliseconds to wait before a try is allowed; 0 allows this one. */
  wait: number;
  /** Takes the count back, because the credential was right. */
  right(): Promise<void>;
}

/** Counts a try with an operator's key, which has no login, against its network. Unknown addresses count as one. */
export async function tryKey(
  attempts: Store["attempts"],
  { address, at }: { address: string | undefined; at: number },
): Promise<SignInTry> {
  const network = address === undefined ? "network" : `network ${networkOf(address)}`;
  const wait = await attempts.take(network, NETWORK, at);
  return { wait, right: () => attempts.giveBack(network, at) };
}

/**
 * Counts a try to sign in against its network and its login. Each network that the login has signed in from before
 * has a count of its own: strangers who guess at a login do not lock its owner out.
 */
export async function trySignIn(
  attempts: Store["attempts"],
  { login, address, at }: { login: string; address: string | undefined; at: number },
): Promise<SignInTry> {
  const network = address === undefined ? undefined : `network ${networkOf(address)}`;
  const right = async (): Promise<void> => {};
  const far = network === undefined ? 0 : await attempts.take(network, NETWORK, at);
  if (far > 0) return { wait: far, right };
  // Hashed, because people type passwords into the field of the login by mistake.
  const name = `login ${createHash("sha256").update(login).digest("base64url")}`;
  const pair = network === undefined ? undefined : `${name} ${network}`;
  const subject = pair !== undefined && (await attempts.isTrusted(pair, at)) ? pair : name;
  const wait = await attempts.take(subject, LOGIN, at);
  return {
    wait,
    async right() {
      await attempts.giveBack(subject, at);
      if (network !== undefined) await attempts.giveBack(network, at);
      if (pair !== undefined) await attempts.trust(pair, at, at + NETWORK_MEMORY);
    },
  };
}
