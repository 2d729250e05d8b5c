import { refusalWithoutCredit } from "../generation/require-credit.ts";
import { bodyLimits, smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import type { BodyUse } from "../ports/bounds.ts";
import type { RunningRequest } from "./running-request.ts";

/** The size in bytes from which a body is read only if there is memory for it, and if the caller has credit. */
const LARGE = bodyLimits.text;

/**
 * Opens the memory account of a request's body. Refuses a large body before it is read. Returns a promise only for a
 * body that may be large.
 */
export function openBodyUse(request: RunningRequest): Promise<BodyUse> | BodyUse {
  const { exchange, services, caller, route } = request;
  const bodyUse = services.bodyMemory.open(caller);
  const length = Number(exchange.header("content-length") ?? 0);
  // Either header comes with contents of any length.
  const openEnded = exchange.header("transfer-encoding") ?? exchange.header("content-encoding");
  const most = (route.limits ?? smallBody).media;
  // A body over the route's limit is refused later, for its size.
  if (length > LARGE && length <= most) return reserved(request, bodyUse, length);
  return most > LARGE && openEnded !== undefined ? openUnboundedUse(request, bodyUse) : bodyUse;
}

async function reserved(request: RunningRequest, bodyUse: BodyUse, length: number): Promise<BodyUse> {
  await refuseWithoutCredit(request);
  bodyUse.reserve(length);
  return bodyUse;
}

async function openUnboundedUse(request: RunningRequest, bodyUse: BodyUse): Promise<BodyUse> {
  const { services, caller } = request;
  const refused = await refuseWithoutCredit(request).catch((error: unknown) => error);
  if (!(refused instanceof Refusal)) return bodyUse;
  return bounded(bodyUse, () => (caller ? services.bodyMemory.heldFor(caller) : 0), refused);
}

async function refuseWithoutCredit({ services, caller }: RunningRequest): Promise<void> {
  const refusal = caller && (await refusalWithoutCredit({ services, caller }));
  if (!refusal) return;
  const { code, errors, options } = refusal;
  throw new Refusal(code, errors, { ...options, headers: { ...options.headers, connection: "close" } });
}

/** Accepts a body of unknown length until it is large, counted with the caller's other bodies. */
const bounded = (bodyUse: BodyUse, held: () => number, refused: Refusal): BodyUse => ({
  reserve: (bytes) => bodyUse.reserve(bytes),
  end: () => bodyUse.end(),
  add(bytes) {
    if (held() + bytes > LARGE) throw refused;
    bodyUse.add(bytes);
  },
});
