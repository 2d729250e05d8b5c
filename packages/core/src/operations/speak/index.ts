export * from "./chatstyle.ts";
export * from "./codec.ts";
export * from "./codecs.ts";
export * from "./estimate.ts";
export * from "./ir.ts";
export * from "./plan.ts";
export * from "./reply.ts";
export * from "./wav.ts";
