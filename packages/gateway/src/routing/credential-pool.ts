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

/** Milliseconds for which a credential is left alone after a refusal; after each further one twice as long. */
const DENIED = { first: 5 * 60_000, most: 60 * 60_000 };
/** The pause after a 429 that asks for none, in milliseconds. */
const PAUSE = 5_000;

/**
 * The health of credentials. It is kept by the credential itself: a reload of the configuration makes new ones, which
 * are taken for well. `changed` is called when one is refused, and when it is accepted again.
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
    // Where none is well the request is sent nevertheless, once: the answer is then the provider's own.
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
      // Requests that were under way together are one refusal.
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
