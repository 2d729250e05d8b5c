import type { Context } from "../ports/context.ts";

/** The facts of a request on arrival. */
type Arrived = Pick<
  Context,
  "id" | "exchange" | "services" | "params" | "started" | "began" | "surface" | "codec" | "watch"
>;

/**
 * Creates the context of a request with every member that it will ever have, so that V8 gives all contexts one hidden
 * class.
 */
export const createContext = (arrived: Arrived): Context => ({
  id: arrived.id,
  exchange: arrived.exchange,
  services: arrived.services,
  params: arrived.params,
  started: arrived.started,
  began: arrived.began,
  surface: arrived.surface,
  codec: arrived.codec,
  watch: arrived.watch,
  caller: undefined as never,
  operator: undefined,
  options: undefined as never,
  place: undefined,
  flight: undefined,
  reservedId: undefined,
  generation: undefined,
  trace: undefined,
  body: undefined,
});
