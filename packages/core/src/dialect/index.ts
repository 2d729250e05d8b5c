export { constrainFormat, constrainTool } from "./constrained.ts";
export { fromProtoSchema } from "./from-dialect.ts";
export { type OptionalKeyword, withoutKeywords } from "./keywords.ts";
export { normalizeSchema } from "./normalize.ts";
export { rulesFor } from "./rules.ts";
export { againstStrict } from "./strict.ts";
export { toProtoSchema } from "./to-dialect.ts";
export { isObjectSchema, wrapSchema } from "./whole-answer.ts";
