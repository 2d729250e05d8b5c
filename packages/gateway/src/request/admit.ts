import { authenticate, operatorCredential } from "../access/authenticate.ts";
import { restrict } from "../access/restrict.ts";
import { refusedOperator } from "../account/sign-in.ts";
import { Refusal } from "../http/refusal.ts";
import { refuseTooMany } from "../http/unauthenticated.ts";
import type { Admitted, Identified, Matched } from "./stages.ts";

/**
 * Finds the caller of a request, or throws. A wrong operator credential counts as a failed sign-in, a missing one does
 * not. Requests without a valid credential are limited by their address, others by the limits of their key.
 */
export async function identify(matched: Matched): Promise<Identified> {
  const { exchange, services, surface, route, refusal } = matched;
  if (refusal !== undefined) {
    refuseTooMany(exchange);
    throw refusal;
  }
  if (services.stopping() && !route.always)
    throw new Refusal("shutting_down", "The service is shutting down.", {
      headers: { "retry-after": "1", connection: "close" },
    });
  try {
    const { caller, operator } = await authenticate(exchange, services, route, surface.credentials);
    if (route.access === "open") refuseTooMany(exchange);
    return { ...matched, caller, operator };
  } catch (error) {
    if (route.access === "operator" && operatorCredential(exchange, route.bearer))
      await refusedOperator(matched);
    if (error instanceof Refusal && error.status === 401) refuseTooMany(exchange);
    throw error;
  }
}

/** Applies the restrictions and the limits of the caller's key. Throws if they do not allow the request. */
export async function admit(identified: Identified): Promise<Admitted> {
  const { caller, surface, route, watch } = identified;
  if (!caller) return { ...identified, place: undefined };
  const services = restrict(identified.services, caller, surface);
  if (route.generates) watch?.admitted?.(caller);
  const isLimited = route.generates || route.rated;
  const place = isLimited ? await services.places.enter(identified, caller) : undefined;
  return { ...identified, services, place };
}
