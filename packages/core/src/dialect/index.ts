export { fromProtoSchema } from "./from-dialect.ts";
export { toProtoSchema } from "./to-dialect.ts";
