import { refusalWithoutCredit } from "../generation/require-credit.ts";
import { bodyLimits, smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import type { Flight } from "../ports/bounds.ts";
import type { RunningRequest } from "./running-request.ts";

/** The size in bytes from which a body is read only if there is memory for it, and if the caller has credit. */
const LARGE = bodyLimits.text;

/**
 * Opens the memory account of a request's body. Refuses a large body before it is read. Returns a promise only for a
 * body that may be large.
 */
export function openFlight(request: RunningRequest): Promise<Flight> | Flight {
  const { exchange, services, caller, route } = request;
  const flight = services.flights.open(caller);
  const length = Number(exchange.header("content-length") ?? 0);
  // Either header comes with contents of any length.
  const openEnded = exchange.header("transfer-encoding") ?? exchange.header("content-encoding");
  const most = (route.limits ?? smallBody).media;
  // A body over the route's limit is refused later, for its size.
  if (length > LARGE && length <= most) return reserved(request, flight, length);
  return most > LARGE && openEnded !== undefined ? openEndedFlight(request, flight) : flight;
}

async function reserved(request: RunningRequest, flight: Flight, length: number): Promise<Flight> {
  await refuseWithoutCredit(request);
  flight.reserve(length);
  return flight;
}

async function openEndedFlight(request: RunningRequest, flight: Flight): Promise<Flight> {
  const { services, caller } = request;
  const refused = await refuseWithoutCredit(request).catch((error: unknown) => error);
  if (!(refused instanceof Refusal)) return flight;
  return bounded(flight, () => (caller ? services.flights.heldFor(caller) : 0), refused);
}

async function refuseWithoutCredit({ services, caller }: RunningRequest): Promise<void> {
  const refusal = caller && (await refusalWithoutCredit({ services, caller }));
  if (!refusal) return;
  const { code, errors, options } = refusal;
  throw new Refusal(code, errors, { ...options, headers: { ...options.headers, connection: "close" } });
}

/** Accepts a body of unknown length until it is large, counted with the caller's other bodies. */
const bounded = (flight: Flight, held: () => number, refused: Refusal): Flight => ({
  reserve: (bytes) => flight.reserve(bytes),
  end: () => flight.end(),
  add(bytes) {
    if (held() + bytes > LARGE) throw refused;
    flight.add(bytes);
  },
});
