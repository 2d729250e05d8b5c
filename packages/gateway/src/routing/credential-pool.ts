import type { Credential } from "@manifold-gateway/providers";
import type { CredentialChoice, CredentialHealth, CredentialPool } from "../ports/routing.ts";
import { weightedOrder } from "./rendezvous.ts";

interface State {
  /** Refusals in a row. */
  denials: number;
  status?: number;
  deniedUntil: number;
  coolingUntil: number;
}

/** Milliseconds for which a refused credential is not used; doubled after each further refusal. */
const DENIED = { first: 5 * 60_000, most: 60 * 60_000 };
/** The pause after a 429 that demands none, in milliseconds. */
const PAUSE = 5_000;

/**
 * The health of credentials, keyed by their objects: a reload of the configuration creates new ones, which count as
 * healthy. `changed` is called when one is refused, and when it is accepted again.
 */
export function createCredentialPool(
  { maxCooldown }: { maxCooldown: number },
  now: () => number,
  changed: (provider: string, credential: Credential, health: CredentialHealth) => void = () => {},
): CredentialPool {
  const states = new WeakMap<Credential, State>();
  const calls = new WeakMap<Credential, number>();
  const callsOf = (credential: Credential): number => calls.get(credential) ?? 0;
  const stateOf = (credential: Credential): State => {
    let state = states.get(credential);
    if (!state) {
      state = { denials: 0, deniedUntil: 0, coolingUntil: 0 };
      states.set(credential, state);
    }
    return state;
  };
  const untilOf = (credential: Credential): number => {
    const state = states.get(credential);
    return state ? Math.max(state.deniedUntil, state.coolingUntil) : 0;
  };
  const isUsable = (credential: Credential): boolean => untilOf(credential) <= now();
  const of = (credential: Credential): CredentialHealth => {
    const state = states.get(credential);
    const at = now();
    if (state && state.deniedUntil > at)
      return {
        state: "denied",
        until: state.deniedUntil,
        ...(state.status !== undefined && { status: state.status }),
      };
    if (state && state.coolingUntil > at) return { state: "cooling", until: state.coolingUntil };
    return { state: "ready" };
  };
  const choose = (
    { credentials, identity, preferred }: CredentialChoice,
    tried?: readonly Credential[],
  ): Credential | undefined => {
    const usable = credentials.filter((one) => !tried?.includes(one) && isUsable(one));
    const kept = usable.find(({ name }) => name === preferred);
    if (kept) return kept;
    // If none is usable, the request is still sent once, so that the caller gets the provider's answer.
    const among = usable.length > 0 ? usable : tried ? [] : credentials;
    return among.length < 2 ? among[0] : weightedOrder(among, identity())[0];
  };
  return {
    of,
    callsOf,
    pick(choice, tried) {
      const picked = choose(choice, tried);
      if (picked) calls.set(picked, callsOf(picked) + 1);
      return picked;
    },
    peek: (choice) => choose(choice),
    pauseOf: (credentials) => Math.max(0, Math.min(...credentials.map(untilOf)) - now()),
    accepted(provider, credential) {
      const state = states.get(credential);
      if (!state || state.denials === 0) return;
      states.delete(credential);
      changed(provider, credential, of(credential));
    },
    denied(provider, credential, status) {
      const state = stateOf(credential);
      // Refusals of requests that ran at the same time count as one.
      if (state.deniedUntil > now()) return;
      state.denials += 1;
      state.status = status;
      state.deniedUntil = now() + Math.min(DENIED.most, DENIED.first * 2 ** (state.denials - 1));
      changed(provider, credential, of(credential));
    },
    cool(credential, seconds) {
      const pause = seconds === undefined ? PAUSE : seconds * 1000;
      stateOf(credential).coolingUntil = now() + Math.min(maxCooldown, pause);
    },
  };
}
