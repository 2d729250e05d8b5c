import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Traits } from "../codec/traits.ts";
import { isObject, toText } from "../json/json.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import type { Encoded } from "../translate/translate.ts";
import { CallerRequest } from "./caller-request.ts";
import { noObject, Rejection } from "./rejection.ts";
import { writeTranslated } from "./write-translated.ts";

/** A request for a provider of another protocol. */
export interface RequestTranslation {
  /** The caller's protocol. */
  from: AnyCaller;
  /** The provider's protocol. */
  to: AnyProvider;
  /** The model, for requests that name it in their path. Default: as the body says. */
  model?: string | undefined;
  /** Whether a stream is asked for, for requests that say so in their path. Default: as the body says. */
  stream?: boolean | undefined;
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
 * The path to send it to, below the provider's base, is `to.endpoint(model, stream)`. Values of any type are taken:
 * throws a `Rejection` if it is no request of its protocol, or has content without which the answer would be to another
 * request. For bodies that may be forwarded, and for what a model accepts, see `planRequest`.
 */
export function translateRequest(
  request: unknown,
  { from, to, model, stream, traits, protocols = wires }: RequestTranslation,
): Encoded {
  if (!isObject(request)) throw noObject();
  const body = { value: request, protocols, holdsSeal: () => false, edited: () => JSON.stringify(request) };
  const named = { model: model ?? toText(request.model), ...(stream !== undefined && { stream }) };
  const decoded = new CallerRequest({ codec: from, body, ...named }).whole();
  if (decoded instanceof Rejection) throw decoded;
  const target = { codec: to, model: decoded.request.model, ...(traits && { traits }) };
  const written = writeTranslated(decoded, target, to, protocols, {});
  if (written instanceof Rejection) throw written;
  const { plan, lost, restores } = written;
  return { wire: plan.wire, losses: [...lost.losses], restores, restore: plan.restore };
}
