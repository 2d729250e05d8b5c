export * from "./chatstyle.ts";
export * from "./check.ts";
export * from "./estimate.ts";
export * from "./ir.ts";
export * from "./native.ts";
export * from "./needs.ts";
export * from "./schema.ts";
export * from "./without-auto.ts";
