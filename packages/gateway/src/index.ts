export { authenticate } from "./access/authenticate.ts";
export type { SessionOptions } from "./account/sessions.ts";
export { createMemoryCache } from "./answer-cache/memory-cache.ts";
export { createStoreCache } from "./answer-cache/store-cache.ts";
export { createCatalog } from "./catalog/catalog.ts";
export { DECLARED_SECTIONS } from "./catalog/sections.ts";
export { createGateway } from "./gateway.ts";
export { GUARD_PHASES } from "./guards/phases.ts";
export type { RefusalCode } from "./http/codes.ts";
export type { Message, Peer } from "./http/peer.ts";
export { Refusal, type RefusalOptions } from "./http/refusal.ts";
export type { MediaOptions } from "./media/create.ts";
export { combineObservers } from "./observe/combine.ts";
export { type TraceOptions, traceObserver } from "./observe/traces.ts";
export { toOpenApi } from "./openapi/document.ts";
export type { Gateway, GatewayOptions } from "./options.ts";
export type { Access, Caller, KeyDefaults, KeyVault } from "./ports/access.ts";
export type { AnswerCache, Answers } from "./ports/answer-cache.ts";
export type { Billing } from "./ports/billing.ts";
export type { Catalog, EntryOptions, Model, ModelOptions } from "./ports/catalog.ts";
export type { Console, Invitation } from "./ports/console.ts";
export type {
  DeclarationEditor,
  DeclarationEffects,
  DeclarationOutcome,
  DeclarationRefusal,
  DeclarationRequest,
  DeclarationTerms,
  DeclarationTest,
  DeclaredMember,
  DeclaredSection,
  ProposedModel,
  ProviderTest,
  WebhookTest,
} from "./ports/declarations.ts";
export type { Guard } from "./ports/guards.ts";
export type { JobLimits, Limits } from "./ports/limits.ts";
export type { Log } from "./ports/log.ts";
export type {
  AttemptWatch,
  ObservedAttempt,
  ObservedDelivery,
  ObservedJob,
  ObservedRequest,
  Observer,
  Settled,
  SettledJob,
} from "./ports/observer.ts";
export type { CredentialHealth, EntryHealth, Lesson } from "./ports/routing.ts";
export type {
  CatalogChange,
  CatalogComparison,
  Metrics,
  Reload,
  Services,
  Setting,
} from "./ports/services.ts";
export type { Example, Route, Surface } from "./route.ts";
export type { RoutingOptions } from "./routing/routing.ts";
export { isForSale } from "./routing/terms.ts";
export { surfaces } from "./surfaces/all.ts";
export { textSurface } from "./surfaces/text.ts";
export { FALLBACK_CAUSES } from "./text/fallback-causes.ts";
export { alertsFor, type WebhookEndpoint } from "./webhooks/endpoint.ts";
export { WEBHOOK_EVENTS, type WebhookEvent } from "./webhooks/events.ts";
export { isWebhookSecret } from "./webhooks/sign.ts";
