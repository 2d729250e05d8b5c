import type { Dialect } from "../dialect/index.ts";

const missing = (): never => {
  throw new TypeError("The request has a schema, and the half of the codec no dialect: see withDialect.");
};

/** The dialect of a half that got none: requests with schemas are an error of the program. */
export const noDialect: Dialect = {
  againstStrict: missing,
  constrainFormat: missing,
  constrainTool: missing,
  isObjectSchema: missing,
  normalizeSchema: missing,
  toProtoSchema: missing,
  withoutKeywords: missing,
  wrapSchema: missing,
};
