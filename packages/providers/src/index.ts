export * from "./adapters/index.ts";
export {
  type AddressGuard,
  createAddressGuard,
  isAddressRange,
  isLocalHost,
  isProtectedUrl,
} from "./addresses.ts";
export * from "./body.ts";
export * from "./catalog/index.ts";
export * from "./create-transport.ts";
export * from "./credentials.ts";
export * from "./discover.ts";
export * from "./download-fault.ts";
export * from "./fault.ts";
export { createFetchTransport, type FetchOptions } from "./fetch-transport.ts";
export { type Framing, reframe } from "./frames/reframe.ts";
export * from "./guarded.ts";
export * from "./headers.ts";
export * from "./identity/index.ts";
export type { ListedModel } from "./listed.ts";
export * from "./platforms.ts";
export * from "./presets.ts";
export * from "./provider.ts";
export * from "./serves.ts";
export * from "./surcharges.ts";
export * from "./transport.ts";
