import type { Context } from "./ports/context.ts";

/** What is known of a request when it comes. */
type Arrived = Pick<
  Context,
  "id" | "exchange" | "services" | "params" | "started" | "surface" | "codec" | "watch"
>;

/** Creates the context of a request with every member that it will have, so that all of them have one hidden class. */
export const createContext = (arrived: Arrived): Context => ({
  id: arrived.id,
  exchange: arrived.exchange,
  services: arrived.services,
  params: arrived.params,
  started: arrived.started,
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
