export * from "./asset/index.ts";
export * from "./characters.ts";
export * from "./content.ts";
export * from "./counts.ts";
export * from "./embed/index.ts";
export * from "./image/index.ts";
export * from "./speech/index.ts";
export * from "./video/index.ts";
