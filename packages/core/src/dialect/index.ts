export type { SchemaForm } from "./forms.ts";
export { fromProtoSchema } from "./from-dialect.ts";
export { type OptionalKeyword, withoutKeywords } from "./keywords.ts";
export { normalizeSchema } from "./normalize.ts";
export { mapSchemas } from "./places.ts";
export { hasCycles } from "./references.ts";
export { rulesFor } from "./rules.ts";
export { againstStrict } from "./strict.ts";
export { toProtoSchema } from "./to-dialect.ts";
