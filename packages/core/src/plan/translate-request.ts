import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Traits } from "../codec/traits.ts";
import { type JsonObject, toText } from "../json/json.ts";
import { wires } from "../protocols/facts.ts";
import type { Encoded } from "../translate/translate.ts";
import { CallerRequest } from "./caller-request.ts";
import { Rejection } from "./rejection.ts";
import { writeTranslated } from "./write-translated.ts";

/** The request type of a codec; of one that is chosen at run time, any of those that the candidates read. */
type WireOf<From extends AnyCaller> = From extends AnyCaller
  ? Parameters<From["request"]["decode"]>[0]
  : never;

/**
 * A request of one protocol in another, also in the same one. Losses have pointers into `wire`. Throws a `Rejection` if
 * `wire` is no request of its protocol, or has content without which the answer would be to another request. For bodies
 * that may be forwarded, and for what a model accepts, see `planRequest`.
 */
export function translateRequest<From extends AnyCaller>(
  wire: NoInfer<WireOf<From>> | JsonObject,
  from: From,
  to: AnyProvider,
  traits?: Traits,
): Encoded {
  const value = wire as JsonObject;
  const body = { value, protocols: wires, holdsSeal: () => false, edited: () => JSON.stringify(value) };
  const reading = new CallerRequest({ codec: from, body, model: toText(value.model) }).whole();
  if (reading instanceof Rejection) throw reading;
  const target = { codec: to, model: reading.request.model, ...(traits && { traits }) };
  const written = writeTranslated(reading, target, to, wires, {});
  if (written instanceof Rejection) throw written;
  const { plan, lost, restores } = written;
  return { wire: plan.wire, losses: [...lost.losses], restores, restore: plan.restore };
}
