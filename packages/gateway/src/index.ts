export * from "./access/authenticate.ts";
export * from "./access/store-access.ts";
export * from "./account/sessions.ts";
export * from "./billing/amounts.ts";
export * from "./billing/store-billing.ts";
export * from "./catalog/catalog.ts";
export * from "./gateway.ts";
export type { RefusalCode } from "./http/codes.ts";
export type { Accept, Message, Peer } from "./http/peer.ts";
export { Refusal, type RefusalOptions } from "./http/refusal.ts";
export * from "./jobs/index.ts";
export * from "./limits/defaults.ts";
export * from "./limits/streams.ts";
export type { MediaOptions } from "./media/create.ts";
export { combineObservers } from "./observe/combine.ts";
export { type TraceOptions, traceObserver } from "./observe/traces.ts";
export { toOpenApi } from "./openapi/document.ts";
export * from "./options.ts";
export type * from "./ports/access.ts";
export type * from "./ports/billing.ts";
export type { Streams } from "./ports/bounds.ts";
export type * from "./ports/catalog.ts";
export type * from "./ports/console.ts";
export type * from "./ports/jobs.ts";
export type * from "./ports/limits.ts";
export type { Log } from "./ports/log.ts";
export type * from "./ports/observer.ts";
export type { CredentialHealth, EntryHealth, ProviderCredential } from "./ports/routing.ts";
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
export { surfaces } from "./surfaces/all.ts";
export { type TextSurfaceOptions, textSurface } from "./surfaces/text.ts";
export { alertsFor, type WebhookEndpoint } from "./webhooks/endpoint.ts";
export { WEBHOOK_EVENTS, type WebhookEvent, webhookBodies } from "./webhooks/events.ts";
export { isWebhookSecret } from "./webhooks/sign.ts";
