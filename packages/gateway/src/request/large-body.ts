import { refusalWithoutCredit } from "../generation/require-credit.ts";
import { bodyLimits, smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import type { Flight } from "../ports/bounds.ts";
import type { Admitted } from "./stages.ts";

/** The size in bytes from which a body is read only if there is memory for it, and if the caller has credit. */
const LARGE = bodyLimits.text;

/** Opens the memory account of a request's body. Refuses a large body before it is read. */
export async function openFlight(admitted: Admitted): Promise<Flight> {
  const { exchange, services, caller, route } = admitted;
  const flight = services.flights.open(caller);
  const length = Number(exchange.header("content-length") ?? 0);
  // Either header comes with contents of any length.
  const openEnded = exchange.header("transfer-encoding") ?? exchange.header("content-encoding");
  const most = (route.limits ?? smallBody).media;
  // A body over the route's limit is refused later, for its size.
  if (length > LARGE && length <= most) {
    await refuseWithoutCredit(admitted);
    flight.reserve(length);
  } else if (most > LARGE && openEnded !== undefined) {
    const refused = await refuseWithoutCredit(admitted).catch((error: unknown) => error);
    if (refused instanceof Refusal)
      return bounded(flight, () => (caller ? services.flights.heldFor(caller) : 0), refused);
  }
  return flight;
}

async function refuseWithoutCredit({ services, caller }: Admitted): Promise<void> {
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
