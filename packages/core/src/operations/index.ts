export * from "./content.ts";
export * from "./counts.ts";
export * from "./embed/index.ts";
export * from "./image/index.ts";
export * from "./video/index.ts";
