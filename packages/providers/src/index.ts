export * from "./body.ts";
export * from "./discover.ts";
export * from "./fault.ts";
export * from "./fetch.ts";
export * from "./headers.ts";
export * from "./presets.ts";
export * from "./provider.ts";
export * from "./transport.ts";
