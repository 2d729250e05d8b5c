import type { AnyProvider } from "../codec/codec.ts";
import type { Traits } from "../codec/traits.ts";
import type { TextRequest } from "../ir/index.ts";
import type { Loss } from "../ir/loss.ts";
import { toObject } from "../json/json.ts";
import type { Wires } from "../protocols/facts.ts";
import { encodeRequest } from "../translate/translate.ts";
import type { DecodedRequest } from "./caller-request.ts";
import { noFindings, requireCheck } from "./capability-check.ts";
import { explainLosses } from "./explain-losses.ts";
import { rejectContent } from "./loss-rules.ts";
import { Rejection } from "./rejection.ts";
import type { PlannedBody, PlanOptions, TranslatedPlan } from "./request-plan.ts";
import type { RequestTarget } from "./target.ts";

/** The places of settings in the canonical request; the others are of content. */
const SETTING = /^\/(params|tools|toolChoice|format|reasoning|extra)(\/|$)/;

/** Plans a decoded request: it is written in the target's protocol. */
export function writeTranslated(
  decoded: DecodedRequest,
  target: RequestTarget,
  upstream: AnyProvider,
  protocols: Wires,
  options: PlanOptions,
): PlannedBody<TranslatedPlan> | Rejection {
  const { capabilities, traits } = target;
  const { model } = decoded.request;
  const findings = capabilities
    ? requireCheck(options).find(decoded, capabilities, options.others)
    : noFindings;
  if (findings instanceof Rejection) return findings;
  const left =
    findings.issues.length > 0
      ? requireCheck(options).reduce(decoded.request, findings.issues)
      : decoded.request;
  const rejected = options.check?.(decoded);
  if (rejected) return rejected;
  const request: TextRequest = { ...left, model: target.model };
  const encode = (ofModel: Traits | undefined) => {
    const { traits: known, lost } = withOutputLimit(ofModel, target, request.params?.maxTokens);
    const written = encodeRequest(request, upstream, known);
    return lost && upstream.needsLimit ? { ...written, losses: [...written.losses, lost] } : written;
  };
  const encoded = encode(traits);
  const { wire, restores, restore } = encoded;
  const losses = target.learnt ? explainLosses(encoded.losses, target.learnt, encode) : encoded.losses;
  const located = losses.map((loss) => ({
    loss: { ...loss, path: decoded.locate(request, loss.path), canonical: loss.path },
    content: contentAt(request, loss.path, protocols),
    isSetting: SETTING.test(loss.path),
  }));
  const lostContent = rejectContent(located, model);
  if (lostContent) return lostContent;
  const found = [...decoded.dropped, ...findings.losses];
  const lost = located.map(({ loss }) => loss);
  const body = JSON.stringify({ ...wire, ...target.edits });
  const { notes } = findings;
  return {
    plan: {
      upstream,
      wire,
      body,
      notes,
      restore,
      request: { ...request, model },
      ...(request.format?.type === "schema" &&
        traits?.jsonInText !== false &&
        upstream.protocol !== decoded.caller.codec.protocol && { answerSchema: request.format.schema }),
    },
    lost: {
      losses: [...found, ...lost],
      settings: [...found, ...located.flatMap(({ loss, isSetting }) => (isSetting ? [loss] : []))],
      parameters: capabilities?.strictParams
        ? parametersIn(lost, requireCheck(options).paramsOf(decoded))
        : [],
    },
    restores,
  };
}

/**
 * The traits with the limits of output: what the capabilities state, and what a request without a limit may use. If that
 * is less than the model gives, it is a loss where requests need a limit.
 */
function withOutputLimit(
  ofModel: Traits | undefined,
  { capabilities, outputTokens }: RequestTarget,
  requested: number | undefined,
): { traits: Traits; lost?: Loss } {
  const most = capabilities?.text?.maxOutputTokens;
  const traits: Traits = { ...(most !== undefined && { maxOutput: most }), ...ofModel };
  const { maxOutput = 0 } = traits;
  if (outputTokens === undefined || requested !== undefined || maxOutput <= outputTokens) return { traits };
  const detail = `the target wants a limit; it is ${outputTokens}`;
  return {
    traits: { ...traits, maxOutput: outputTokens },
    lost: { path: "/params/maxTokens", why: "approximated", detail },
  };
}

/** The losses at the paths of parameters. */
const parametersIn = (losses: readonly Loss[], paths: ReadonlySet<string>): Loss[] =>
  losses.filter(({ path }) => paths.has(path));

/** Describes the content at a path without which the answer would be to another request. */
function contentAt({ messages }: TextRequest, path: string, protocols: Wires): string | undefined {
  if (path.startsWith("/extra/") && protocols.namesOf("essential").has(path.slice(7))) return "this field";
  const [, message, part] = /^\/messages\/(\d+)\/parts\/(\d+)$/.exec(path) ?? [];
  const lost = message === undefined ? undefined : messages[Number(message)]?.parts[Number(part)];
  if (lost?.type === "media") return `${lost.kind} by ${lost.source.type}`;
  if (lost?.type !== "opaque") return undefined;
  return protocols.facts[lost.protocol].essentialItem?.(toObject(lost.value));
}
