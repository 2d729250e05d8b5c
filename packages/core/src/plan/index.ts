export { fieldOf, joinTexts } from "../capability/message-text.ts";
export { MissingDialect } from "../codec/no-dialect.ts";
export { maxInputsOf, operationEndpoint, separateProtocol } from "../operations/endpoint.ts";
export { CallerRequest, type DecodedRequest, type RequestSource } from "./caller-request.ts";
export { type CapabilityCheck, type Findings, noFindings } from "./capability-check.ts";
export type { TraitsStep } from "./explain-losses.ts";
export {
  applyLossRules,
  type LocatedLoss,
  type LossRules,
  type RequestLosses,
  rejectContent,
} from "./loss-rules.ts";
export { spelledAs } from "./model-spelling.ts";
export { planRequest } from "./plan-request.ts";
export { Rejection, type RejectionCode } from "./rejection.ts";
export { type RequestBody, readBody } from "./request-body.ts";
export type { PlanOptions, RequestPlan } from "./request-plan.ts";
export { describeFault, describeIssues, type FieldFault, faultsOf, MAX_FAULTS } from "./schema-issues.ts";
export type { RequestTarget } from "./target.ts";
