import { askOf } from "../capability/ask-text.ts";
import { withoutDropped } from "../capability/drop.ts";
import type { CapabilityCheck } from "./capability-check.ts";
import { findingsFor } from "./findings.ts";

export { findingsFor, findingsOf } from "./findings.ts";

/**
 * The check of text requests by the capabilities of models, for `planRequest`: a program whose targets have none need not
 * load it.
 *
 *     const plan = planRequest(request, { codec, model, capabilities }, { capabilityCheck: textCheck });
 *     if (plan instanceof Rejection) plan.errors; // ["temperature: 2 is not allowed; the model 'best' accepts …"]
 */
export const textCheck: CapabilityCheck = {
  find: ({ request, caller }, capabilities, others) =>
    findingsFor(capabilities, askOf(request, caller), others),
  reduce: withoutDropped,
  // Parameters that only state a default, and unknown fields, do not count.
  paramsOf: ({ request, caller }) =>
    new Set(askOf(request, caller).params.flatMap(({ free, extra, path }) => (free || extra ? [] : [path]))),
};
