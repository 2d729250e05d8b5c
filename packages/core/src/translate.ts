import type { Codec, Head, Traits } from "./codec.ts";
import { fit } from "./fit.ts";
import type { Event, TextRequest } from "./ir/index.ts";
import type { Json, JsonObject } from "./json.ts";
import { collectLosses, ignoreLosses, type Lose, type Loss } from "./loss.ts";
import { chain, type Machine, run } from "./machine.ts";
import { repair } from "./repair.ts";

// biome-ignore lint/suspicious/noExplicitAny: a codec's own wire types matter only inside its folder
export type AnyCodec = Codec<any, any, any>;

/** A request ready for its target, what did not fit, and the way back for what had to be spelled otherwise. */
export interface Encoded {
  wire: JsonObject;
  losses: Loss[];
  /** Gives events of the reply the names that the caller's request used. */
  restore(): Machine<Event, Event>;
}

/** Writes a canonical request in the target's protocol, mending what every target refuses first. */
export function encodeRequest(request: TextRequest, to: AnyCodec, traits: Traits = {}): Encoded {
  const { losses, lose } = collectLosses();
  const { request: fitted, restore } = fit(repair(request, lose), to, lose);
  return { wire: to.request.encode(fitted, lose, traits), losses, restore };
}

/** A request of one protocol in another: `encode(decode(wire))`. `wire` must satisfy `from.request.schema`. */
export const translateRequest = (wire: JsonObject, from: AnyCodec, to: AnyCodec, traits?: Traits): Encoded =>
  encodeRequest(from.request.decode(wire), to, traits);

/** A machine from upstream's chunks to the caller's. */
export const translateStream = (
  from: AnyCodec,
  to: AnyCodec,
  head: Head,
  lose: Lose = ignoreLosses,
): Machine<Json, Json> => chain(from.reply.decode(), to.reply.encode(head, lose));

/** A unary body of one protocol in another. */
export const translateBody = (
  body: Json,
  from: AnyCodec,
  to: AnyCodec,
  head: Head,
  lose: Lose = ignoreLosses,
): JsonObject => to.reply.gather(run(translateStream(from, to, head, lose), from.reply.burst(body)));
