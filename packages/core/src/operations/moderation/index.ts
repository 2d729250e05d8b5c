export * from "./codec.ts";
export * from "./codecs.ts";
export * from "./ir.ts";
export * from "./plan.ts";
export { shortfallOf as moderationShortfall } from "./reply.ts";
