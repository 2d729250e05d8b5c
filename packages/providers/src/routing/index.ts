export {
  type AdaptablePlan,
  type Adapting,
  adaptToRefusal,
  type PlannedAnswer,
} from "./adapt-to-refusal.ts";
export {
  type AnsweredCall,
  type Attempt,
  type AttemptServices,
  Attempts,
  type CallRouting,
  type CallTarget,
  type CredentialChooser,
  type Sender,
} from "./attempts.ts";
export { type CircuitOptions, circuitDefaults } from "./circuit.ts";
export { createCircuitBreakers } from "./circuit-breakers.ts";
export type { CredentialChoice, CredentialHealth, CredentialPool } from "./credential-choice.ts";
export { type CredentialCall, noteAccepted, noteRefused } from "./credential-notes.ts";
export { createCredentialPool } from "./credential-pool.ts";
export type { CircuitBreakers, CircuitState, EntryHealth } from "./health.ts";
export { learntSteps } from "./learnt-steps.ts";
export { createLearntTraits } from "./learnt-traits.ts";
export type { Learnt, LearntTraits, Lesson, ProviderModel } from "./lessons.ts";
export { type Planner, PlanQueue, type PlanQueueOptions } from "./plan-queue.ts";
export { countLost, protocolFor, type RequestedFeatures, type Spoken } from "./protocol-choice.ts";
export {
  isProviderFault,
  type ProviderFault,
  providerFaultName,
  providerFaultText,
} from "./provider-fault.ts";
export { createProviderLimiter, type Load, type ProviderLimiter, type Release } from "./provider-limiter.ts";
export { CircuitOpen, ProviderBusy, ProviderUnavailable } from "./provider-unavailable.ts";
export { drawOf, weightedOrder } from "./rendezvous.ts";
export { type Slot, type SlotLimits, Slots } from "./slots.ts";
export {
  explainTraits,
  mergedTraits,
  type ServedModel,
  TRAIT_ORIGINS,
  type TraitedModel,
  type TraitOrigin,
  traitOrigins,
  traitsOf,
} from "./traits.ts";
export {
  type CredentialFault,
  credentialFaultOf,
  pauseOf,
  pausesEntry,
  type Verdict,
  verdictOfFault,
  verdictOfStatus,
} from "./verdict.ts";
