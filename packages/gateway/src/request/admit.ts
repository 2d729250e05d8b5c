import { authenticate, operatorCredential } from "../access/authenticate.ts";
import { restrict } from "../access/restrict.ts";
import { refusedOperator } from "../account/sign-in.ts";
import { Refusal } from "../http/refusal.ts";
import { refuseTooMany } from "../http/unauthenticated.ts";
import type { Admitted } from "../ports/access.ts";
import type { RunningRequest } from "./running-request.ts";

/** The shortest time between two uses of a key that are noted, in ms. */
const USE_MS = 1_000;

/**
 * Finds the caller of a request, or throws. A wrong operator credential counts as a failed sign-in, a missing one does
 * not. Requests without a valid credential are limited by their address, others by the limits of their key. Returns a
 * promise only if something has to be read.
 */
export function identify(request: RunningRequest): Promise<void> | undefined {
  const { exchange, services, surface, route, refusal } = request;
  if (refusal !== undefined) {
    refuseTooMany(exchange);
    throw refusal;
  }
  if (services.stopping() && !route.always)
    throw new Refusal("shutting_down", "The service is shutting down.", {
      headers: { "retry-after": "1", connection: "close" },
    });
  try {
    const found = authenticate(exchange, services, route, surface.credentials);
    if (found instanceof Promise)
      return found.then(
        (admitted) => accept(request, admitted),
        (error: unknown) => refuseCredential(request, error),
      );
    accept(request, found);
    return undefined;
  } catch (error) {
    return refuseCredential(request, error);
  }
}

function accept(request: RunningRequest, { caller, operator }: Admitted): void {
  if (request.route.access === "open") refuseTooMany(request.exchange);
  request.caller = caller;
  request.operator = operator;
  const key = caller?.keyId;
  if (key === undefined) return;
  const passed = request.started - (caller?.usedAt ?? 0);
  if (passed < 0 || passed >= USE_MS) noteUse(request, key);
}

/**
 * Notes when a key is used, and from which address: at most once a second, so that a busy key's requests cost nothing.
 */
function noteUse({ caller, exchange, services, started }: RunningRequest, key: string): void {
  const address = services.addressOf(exchange);
  services.store.keyUses.note(key, { at: started, ...(address !== undefined && { address }) });
  if (caller) caller.usedAt = started;
}

/** Counts a request that was refused for its credential. Rejects with the refusal, or with that of too many. */
async function refuseCredential(request: RunningRequest, error: unknown): Promise<never> {
  const { exchange, route } = request;
  if (route.access === "operator" && operatorCredential(exchange, route.bearer))
    await refusedOperator(request);
  if (error instanceof Refusal && error.status === 401) refuseTooMany(exchange);
  throw error;
}

/**
 * Applies the restrictions and the limits of the caller's key. Throws if they do not allow the request. Returns a
 * promise only if the store counts for the limits.
 */
export function admit(request: RunningRequest): Promise<void> | undefined {
  const { caller, surface, route, watch } = request;
  if (!caller) return undefined;
  if (caller.restrictions) request.services = restrict(request.services, caller, surface);
  if (route.generates) watch?.admitted?.(caller);
  if (!route.generates && !route.rated) return undefined;
  const slot = request.services.keyLimits.enter(request, caller);
  if (slot instanceof Promise)
    return slot.then((entered) => {
      request.slot = entered;
    });
  request.slot = slot;
  return undefined;
}
