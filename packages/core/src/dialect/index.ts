import type { ProviderCodec } from "../codec/provider-codec.ts";
import { isObjectSchema, wrapSchema } from "./answer-schema.ts";
import { constrainFormat, constrainTool, exceedsConstrained } from "./constrained.ts";
import { withoutKeywords } from "./keywords.ts";
import { normalizeSchema } from "./normalize.ts";
import { strictViolation } from "./strict.ts";
import { toProtoSchema } from "./to-proto-schema.ts";

/**
 * What makes a JSON Schema one that a target takes. It is large, and only requests with schemas need it, so the halves of
 * codecs get it when they need it.
 */
export const dialect = {
  strictViolation,
  constrainFormat,
  constrainTool,
  exceedsConstrained,
  isObjectSchema,
  normalizeSchema,
  toProtoSchema,
  withoutKeywords,
  wrapSchema,
};

/** What codecs call to write schemas. */
export type Dialect = typeof dialect;

/**
 * The half of a codec that also takes requests with schemas: those of tools, and of the answer.
 *
 *     import { provider } from "@manifold-gateway/core/msgstyle/provider";
 *
 *     const msgstyle = withDialect(provider);
 */
export const withDialect = <Wire>(provider: ProviderCodec<Wire>): ProviderCodec<Wire> => ({
  ...provider,
  dialect,
});
