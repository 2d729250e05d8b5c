export { learntSteps } from "./learnt-steps.ts";
export { createLearntTraits } from "./learnt-traits.ts";
export type { Learnt, LearntTraits, Lesson, ProviderModel } from "./lessons.ts";
export { countOffChat, countUnsaid, protocolFor } from "./protocol-choice.ts";
export { ProviderBusy } from "./provider-busy.ts";
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
