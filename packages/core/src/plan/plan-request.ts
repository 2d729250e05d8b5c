import type { AnyProvider } from "../codec/codec.ts";
import { countIgnored } from "../ir/ignorable.ts";
import type { CallerRequest } from "./caller-request.ts";
import { forward } from "./forward.ts";
import { applyLossRules } from "./loss-rules.ts";
import { Rejection } from "./rejection.ts";
import type { PlannedBody, PlanOptions, RequestPlan, TranslatedPlan } from "./request-plan.ts";
import type { RequestTarget } from "./target.ts";
import { withoutReasoning } from "./without-reasoning.ts";
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
  const checkedTarget =
    !thinks && options.capabilityCheck
      ? { ...target, capabilities: withoutReasoning(target.capabilities) }
      : target;
  // Five kinds of bodies are decoded and encoded even in the same protocol: those with a foreign seal, which may only be
  // sent to the vendor that made it; those that the model refuses as they are; those with features that the server
  // ignores, which encoding expresses otherwise or reports as lost; those whose reply has thoughts in its text, unless
  // they are of a variant, which can only be forwarded; and, without a check, those that request reasoning of a model
  // that does not reason.
  const isKept = thinks || options.capabilityCheck !== undefined || !request.asksReasoning();
  const isRefused = isRelated && upstream.refuses?.(body.lazy ?? body.value, traits);
  const planned =
    isRelated &&
    isKept &&
    !isRefused &&
    (traits.thoughtTag === undefined || codec.variant !== undefined) &&
    !(traits.ignores && countIgnored(traits.ignores, request)) &&
    !body.holdsSeal()
      ? forward(request, checkedTarget, upstream, options)
      : translate(request, checkedTarget, upstream, options);
  if (planned instanceof Rejection) return planned;
  const { plan, lost, restores } = planned;
  const all = options.lost?.length ? { ...lost, losses: [...lost.losses, ...options.lost] } : lost;
  const { strictParams } = target.capabilities ?? {};
  const losses =
    all.losses.length > 0 ? applyLossRules(all, { model, strictParams, rules: options.rules }) : all.losses;
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
  const decoded = upstream.protocol === codec.protocol ? request.whole() : request.reduced();
  if (decoded instanceof Rejection) return decoded;
  return writeTranslated(decoded, target, upstream, body.protocols, options);
}
