import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Traits } from "../codec/traits.ts";
import { type JsonObject, toText } from "../json/json.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import type { Encoded } from "../translate/translate.ts";
import { CallerRequest } from "./caller-request.ts";
import { Rejection } from "./rejection.ts";
import { writeTranslated } from "./write-translated.ts";

/** The request type of a codec; of one that is chosen at run time, any of those that the candidates read. */
type WireOf<From extends AnyCaller> = From extends AnyCaller
  ? Parameters<From["request"]["decode"]>[0]
  : never;

/** A request for a provider of another protocol. */
export interface RequestTranslation<From extends AnyCaller = AnyCaller> {
  /** The caller's protocol. */
  from: From;
  /** The provider's protocol. */
  to: AnyProvider;
  /** How the model differs from its protocol: `{ maxOutput: 4096 }`. */
  traits?: Traits | undefined;
  /** The protocols that the program has. Default: the library's own. */
  protocols?: Wires | undefined;
}

/**
 * A request of one protocol in another, also in the same one. Losses have pointers into the given request, and into the
 * canonical one as `canonical`.
 *
 *     const { wire, losses, restore } = translateRequest(
 *       { model: "some-model", seed: 7, messages: [{ role: "user", content: "Hello" }] },
 *       { from: chatstyle, to: msgstyle, traits: { maxOutput: 4096 } },
 *     );
 *     wire; // { model: "some-model", messages: [{ role: "user", content: "Hello" }], max_tokens: 4096 }
 *     losses; // [{ path: "/seed", why: "unsupported", canonical: "/params/seed" }]
 *
 * Throws a `Rejection` if it is no request of its protocol, or has content without which the answer would be to another
 * request. For bodies that may be forwarded, and for what a model accepts, see `planRequest`.
 */
export function translateRequest<From extends AnyCaller>(
  wire: NoInfer<WireOf<From>> | JsonObject,
  { from, to, traits, protocols = wires }: RequestTranslation<From>,
): Encoded {
  const value = wire as JsonObject;
  const body = { value, protocols, holdsSeal: () => false, edited: () => JSON.stringify(value) };
  const decoded = new CallerRequest({ codec: from, body, model: toText(value.model) }).whole();
  if (decoded instanceof Rejection) throw decoded;
  const target = { codec: to, model: decoded.request.model, ...(traits && { traits }) };
  const written = writeTranslated(decoded, target, to, protocols, {});
  if (written instanceof Rejection) throw written;
  const { plan, lost, restores } = written;
  return { wire: plan.wire, losses: [...lost.losses], restores, restore: plan.restore };
}
