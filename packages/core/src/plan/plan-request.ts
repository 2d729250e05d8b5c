import type { AnyProvider } from "../codec/codec.ts";
import { countIgnored } from "../ir/ignorable.ts";
import type { CallerRequest } from "./caller-request.ts";
import { forward } from "./forward.ts";
import { demandLosses } from "./loss-rules.ts";
import { Rejection } from "./rejection.ts";
import type { PlannedBody, PlanOptions, RequestPlan, TranslatedPlan } from "./request-plan.ts";
import type { RequestTarget } from "./target.ts";
import { withoutReasoning } from "./unthinking.ts";
import { writeTranslated } from "./write-translated.ts";

/**
 * Plans a request for one target: forwards the body if both sides speak one protocol, else translates it. Returns a
 * rejection if the model does not accept it, or if something would be lost that must not be.
 *
 *     const body = readBody('{"model":"best","messages":[{"role":"user","content":"Hello"}]}');
 *     if (body instanceof Rejection) throw body;
 *     const request = new CallerRequest({ codec: chatstyle, body, model: "best" });
 *     const plan = planRequest(request, { codec: msgstyle, model: "some-model", traits: { maxOutput: 4096 } });
 *     if (plan instanceof Rejection) throw plan; // code, errors, param
 *     plan.body; // '{"model":"some-model","messages":[{"role":"user","content":"Hello"}],"max_tokens":4096}'
 */
export function planRequest<Sent>(
  request: CallerRequest<Sent>,
  target: RequestTarget,
  options: PlanOptions = {},
): RequestPlan<Sent> | Rejection {
  const { codec, body, model } = request.source;
  const { traits = {} } = target;
  const isRelated = target.codec.protocol === codec.protocol;
  const upstream = (isRelated && codec.variant) || target.codec;
  const thinks = traits.thinking?.length !== 0;
  const judged =
    !thinks && options.capabilityCheck
      ? { ...target, capabilities: withoutReasoning(target.capabilities) }
      : target;
  // A seal may only be sent to the vendor that made it, so a body with one is decoded and encoded, which drops foreign
  // seals. So is a body with features that the server ignores: encoding then expresses them otherwise, or reports a
  // loss. Encoding also leaves out reasoning that the model does not do, where no check does.
  const isKept = thinks || options.capabilityCheck !== undefined || !request.asksReasoning();
  const made =
    isRelated && isKept && !(traits.ignores && countIgnored(traits.ignores, request)) && !body.holdsSeal()
      ? forward(request, judged, upstream, options)
      : translate(request, judged, upstream, options);
  if (made instanceof Rejection) return made;
  const { plan, lost, restores } = made;
  const all = options.lost?.length ? { ...lost, losses: [...lost.losses, ...options.lost] } : lost;
  const { strictParams } = target.capabilities ?? {};
  const losses =
    all.losses.length > 0 ? demandLosses(all, { model, strictParams, rules: options.rules }) : all.losses;
  return losses instanceof Rejection
    ? losses
    : { ...plan, caller: codec, losses, translated: !isRelated || restores };
}

function translate(
  request: CallerRequest<unknown>,
  target: RequestTarget,
  upstream: AnyProvider,
  options: PlanOptions,
): PlannedBody<TranslatedPlan> | Rejection {
  const { codec, body } = request.source;
  const reading = upstream.protocol === codec.protocol ? request.whole() : request.reduced();
  if (reading instanceof Rejection) return reading;
  return writeTranslated(reading, target, upstream, body.protocols, options);
}
