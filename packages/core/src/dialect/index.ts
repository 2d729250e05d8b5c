export { fromProtoSchema } from "./from.ts";
export { toProtoSchema } from "./to.ts";
