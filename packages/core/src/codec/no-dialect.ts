import type { Dialect } from "../dialect/index.ts";

/** The error of a request with a schema that a half of a codec without a dialect is to write. */
export class MissingDialect extends TypeError {
  constructor() {
    super("The request has a schema, and the half of the codec no dialect: see withDialect.");
  }
}

const missing = (): never => {
  throw new MissingDialect();
};

/** The dialect of a half that got none: requests with schemas are an error of the program. */
export const noDialect: Dialect = {
  strictViolation: missing,
  constrainFormat: missing,
  constrainTool: missing,
  exceedsConstrained: missing,
  isObjectSchema: missing,
  normalizeSchema: missing,
  toProtoSchema: missing,
  withoutKeywords: missing,
  wrapSchema: missing,
};
