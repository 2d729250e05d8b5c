import type { Credential } from "../credentials.ts";
import type { CredentialChoice, CredentialHealth, CredentialPool } from "./credential-choice.ts";
import { weightedOrder } from "./rendezvous.ts";
import { isWithin, noTime, type TimeSpan } from "./time-span.ts";

interface State {
  /** Refusals in a row. */
  denials: number;
  status?: number;
  denied: TimeSpan;
  cooling: TimeSpan;
}

/** Milliseconds for which a refused credential is not used; doubled after each further refusal. */
const DENIED_PAUSE = { first: 5 * 60_000, most: 60 * 60_000 };
/** The pause after a 429 that demands none, in milliseconds. */
const DEFAULT_PAUSE = 5_000;

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
      state = { denials: 0, denied: noTime, cooling: noTime };
      states.set(credential, state);
    }
    return state;
  };
  /** Milliseconds until it may be used. */
  const remainingPause = (credential: Credential): number => {
    const state = states.get(credential);
    if (!state) return 0;
    const at = now();
    return Math.max(
      0,
      ...[state.denied, state.cooling].filter((pause) => isWithin(pause, at)).map(({ until }) => until - at),
    );
  };
  const isUsable = (credential: Credential): boolean => remainingPause(credential) === 0;
  const of = (credential: Credential): CredentialHealth => {
    const state = states.get(credential);
    const at = now();
    if (state && isWithin(state.denied, at))
      return {
        state: "denied",
        until: state.denied.until,
        ...(state.status !== undefined && { status: state.status }),
      };
    if (state && isWithin(state.cooling, at)) return { state: "cooling", until: state.cooling.until };
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
    pauseOf: (credentials) => Math.max(0, Math.min(...credentials.map(remainingPause))),
    accepted(provider, credential) {
      const state = states.get(credential);
      if (!state || state.denials === 0) return;
      states.delete(credential);
      changed(provider, credential, of(credential));
    },
    denied(provider, credential, status) {
      const state = stateOf(credential);
      // Refusals of requests that ran at the same time count as one.
      const at = now();
      if (isWithin(state.denied, at)) return;
      state.denials += 1;
      state.status = status;
      state.denied = {
        from: at,
        until: at + Math.min(DENIED_PAUSE.most, DENIED_PAUSE.first * 2 ** (state.denials - 1)),
      };
      changed(provider, credential, of(credential));
    },
    cool(credential, seconds) {
      const pause = seconds === undefined ? DEFAULT_PAUSE : seconds * 1000;
      const at = now();
      stateOf(credential).cooling = { from: at, until: at + Math.min(maxCooldown, pause) };
    },
  };
}
