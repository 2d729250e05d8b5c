import type { Capabilities } from "../capability/schema.ts";
import type { AnyProvider } from "../codec/codec.ts";
import { collectLosses } from "../ir/loss.ts";
import type { JsonObject } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";
import type { CallerRequest } from "./caller-request.ts";
import { noFindings, requireCheck } from "./capability-check.ts";
import { dropEdits } from "./drop-edits.ts";
import { spelledAs } from "./model-spelling.ts";
import { Rejection, UnreadableBody } from "./rejection.ts";
import type { ForwardPlan, PlannedBody, PlanOptions } from "./request-plan.ts";
import type { RequestTarget } from "./target.ts";

/** The traits of models that refuse members of their own wire, or want others. */
const respelling = ["thinkingBy", "requestWithout", "reasoningBack"] as const;

/** Plans a request in the target's own protocol: its body is sent as it is, but for single members. */
export function forward<Sent>(
  request: CallerRequest<Sent>,
  target: RequestTarget,
  upstream: AnyProvider,
  options: PlanOptions,
): PlannedBody<ForwardPlan<Sent>> | Rejection {
  const { body, model, edits: changed } = request.source;
  const { value } = body;
  const { capabilities } = target;
  const decoded = capabilities && request.whole();
  // The provider judges a body that does not fit the schema.
  if (decoded instanceof Rejection && !(decoded instanceof UnreadableBody)) return decoded;
  const found =
    !decoded || decoded instanceof Rejection
      ? noFindings
      : requireCheck(options).find(decoded, capabilities as Capabilities, options.others);
  if (found instanceof Rejection) return found;
  const { issues, losses, notes } = found;
  const edits: Edits = { ...changed };
  const { traits } = target;
  if (traits?.streamUsage === false) delete edits.stream_options;
  const left = issues.filter(({ effect }) => effect === "drop");
  if (left.length > 0) Object.assign(edits, dropEdits({ ...value, ...edits } as never, left));
  let lost = losses;
  // Most models take the members of their wire as they are: a copy of the body would only cost.
  if (traits && upstream.respell && respelling.some((name) => traits[name] !== undefined)) {
    const respelled = collectLosses();
    const edited = { ...value, ...edits } as JsonObject;
    Object.assign(edits, upstream.respell(edited, traits, respelled.lose));
    lost = [...losses, ...respelled.losses];
  }
  for (const name of request.reserved) {
    const sent = target.reserved?.[name];
    if (sent !== value[name]) edits[name] = sent;
  }
  if ("model" in value && value.model !== target.model)
    edits.model = spelledAs(value.model, model, target.model);
  if (target.edits) Object.assign(edits, target.edits);
  // Without edits the body is forwarded as it is: a large body is not written a second time.
  return {
    plan: { upstream, body: body.edited(edits), notes },
    lost: { losses: lost, settings: lost, parameters: [] },
    restores: false,
  };
}
