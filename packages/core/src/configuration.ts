// Schemas of configuration, by zod: for servers that read a file or a form. Nothing else in the core loads zod but media.

export { capabilitiesSchema } from "./capability/schema.ts";
export { traitSchemas } from "./codec/traits.ts";
