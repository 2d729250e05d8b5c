import type { KnownNames } from "@manifold-gateway/core/capability";
import { describeIssues } from "@manifold-gateway/core/plan";
import { type ZodType, z } from "zod";

/**
 * Converts a schema's issues to texts that name the field, and the model if it is known. Given the schema, an unknown
 * field is reported with the known ones.
 */
export const issuesOf = (
  error: Parameters<typeof describeIssues>[0],
  model?: string,
  schema?: ZodType,
): string[] => describeIssues(error, model, schema && (() => namesOf(schema)));

const namesOf = (schema: ZodType): KnownNames =>
  z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" }) as KnownNames;
