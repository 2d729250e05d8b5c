export * from "./adapters/index.ts";
export * from "./catalog/index.ts";
export * from "./credentials.ts";
export * from "./discover-models.ts";
export {
  type AddressGuard,
  createAddressGuard,
  isAddressRange,
  isLocalHost,
  isProtectedUrl,
} from "./download/address-guard.ts";
export * from "./download/download-fault.ts";
export * from "./download/guarded-fetch.ts";
export { type Framing, reframe } from "./frames/reframe.ts";
export * from "./headers.ts";
export * from "./identity/index.ts";
export type { ListedModel } from "./model-description.ts";
export * from "./platforms.ts";
export * from "./presets.ts";
export * from "./provider.ts";
export * from "./services.ts";
export * from "./surcharges.ts";
export * from "./transport/create-transport.ts";
export * from "./transport/fault.ts";
export { createFetchTransport, type FetchOptions } from "./transport/fetch-transport.ts";
export * from "./transport/transport.ts";
export * from "./transport/upstream-body.ts";
