export * from "./ask.ts";
export * from "./record.ts";
export * from "./schema.ts";
