export * from "./access.ts";
export * from "./billing.ts";
export * from "./catalog.ts";
export * from "./gateway.ts";
export * from "./http/refusal.ts";
export * from "./services.ts";
export * from "./stored/access.ts";
export * from "./stored/billing.ts";
