import { createHash } from "node:crypto";
import type { AttemptPolicy, Store } from "@manifold-gateway/store";
import { networkOf } from "../http/caller-address.ts";

const SECOND = 1_000;
const QUARTER = 15 * 60 * SECOND;
/** For one login: guessing it comes to four tries an hour. */
const LOGIN: AttemptPolicy = { free: 10, pause: 2 * SECOND, longest: QUARTER, decay: QUARTER };
/** For one network: a hundred wrong tries in a quarter of an hour, of all its people. */
const NETWORK: AttemptPolicy = { free: 100, pause: SECOND, longest: QUARTER, decay: QUARTER / 100 };
/** For how long a network stays known that a login was used from. */
const KNOWN = 30 * 24 * 3_600 * SECOND;

/** A try to sign in that may be made, unless there is something to wait for. */
export interface SignInTry {
  /** Milliseconds until it may be made; 0 for now. */
  wait: number;
  /** To be called where it was right. */
  right(): Promise<void>;
}

/** Counts a try by an operator's key, which has no login, against its network; all unknown ones count together. */
export async function tryKey(
  attempts: Store["attempts"],
  { address, at }: { address: string | undefined; at: number },
): Promise<SignInTry> {
  const network = address === undefined ? "network" : `network ${networkOf(address)}`;
  const wait = await attempts.take(network, NETWORK, at);
  return { wait, right: () => attempts.giveBack(network, at) };
}

/**
 * Counts a try to sign in, against its network and against its login. Tries from networks that the login was used from
 * before are counted apart for each: strangers who guess at a login do not lock out who owns it.
 */
export async function trySignIn(
  attempts: Store["attempts"],
  { login, address, at }: { login: string; address: string | undefined; at: number },
): Promise<SignInTry> {
  const network = address === undefined ? undefined : `network ${networkOf(address)}`;
  const right = async (): Promise<void> => {};
  const far = network === undefined ? 0 : await attempts.take(network, NETWORK, at);
  if (far > 0) return { wait: far, right };
  // A hash, since people type passwords here by mistake.
  const name = `login ${createHash("sha256").update(login).digest("base64url")}`;
  const pair = network === undefined ? undefined : `${name} ${network}`;
  const subject = pair !== undefined && (await attempts.isWelcome(pair, at)) ? pair : name;
  const wait = await attempts.take(subject, LOGIN, at);
  return {
    wait,
    async right() {
      await attempts.giveBack(subject, at);
      if (network !== undefined) await attempts.giveBack(network, at);
      if (pair !== undefined) await attempts.welcome(pair, at, at + KNOWN);
    },
  };
}
