export { chatstyleTranscription } from "./chatstyle/index.ts";
export * from "./codec.ts";
export * from "./codecs.ts";
export * from "./cues.ts";
export * from "./estimate.ts";
export * from "./events.ts";
export * from "./ir.ts";
export * from "./native.ts";
export * from "./plan.ts";
