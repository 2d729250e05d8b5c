import type { Issue } from "../capability/ask.ts";
import type { Capabilities } from "../capability/schema.ts";
import type { Candidate } from "../capability/suggest-model.ts";
import type { TextRequest } from "../ir/index.ts";
import type { Loss } from "../ir/loss.ts";
import type { DecodedRequest } from "./caller-request.ts";
import type { Rejection } from "./rejection.ts";

/** Findings about a request that its model takes. */
export interface Findings {
  /** The rules of the model that the request breaks. */
  issues: readonly Issue[];
  /** Members that the model does not accept and that are left out. */
  losses: readonly Loss[];
  /** Likely mistakes. */
  notes: readonly Issue[];
}

/** The result for a request that breaks no rule. */
export const noFindings: Findings = { issues: [], losses: [], notes: [] };

/** A check of requests by the capabilities of models. */
export interface CapabilityCheck {
  /** Compares a request with capabilities. A rejection suggests one of the other models. */
  find(
    decoded: DecodedRequest,
    capabilities: Capabilities,
    others?: () => Iterable<Candidate>,
  ): Findings | Rejection;
  /** The request without the members that issues drop. */
  reduce(request: TextRequest, issues: readonly Issue[]): TextRequest;
  /** The caller's paths of the parameters that are checked. */
  paramsOf(decoded: DecodedRequest): ReadonlySet<string>;
}

/** The check for a target with capabilities. Throws if the program gave none: the request would be sent unchecked. */
export function requireCheck({
  capabilityCheck,
}: {
  capabilityCheck?: CapabilityCheck | undefined;
}): CapabilityCheck {
  if (!capabilityCheck)
    throw new TypeError("A target has capabilities, but planRequest got no option capabilityCheck.");
  return capabilityCheck;
}
