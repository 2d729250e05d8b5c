export * from "./batch.ts";
export * from "./check.ts";
export * from "./codec.ts";
export * from "./codecs.ts";
export * from "./estimate.ts";
export * from "./ir.ts";
export * from "./plan.ts";
export * from "./required-fetches.ts";
