import type { KnownNames } from "@manifold-gateway/core/capability";
import { describeIssues, faultsOf, MAX_FAULTS } from "@manifold-gateway/core/plan";
import { type ZodType, z } from "zod";
import { Refusal } from "./refusal.ts";

/**
 * The refusal of a value by the issues that its schema found: what is wrong with each field and, for an unknown one,
 * the known ones. The sentences name the model as well, if it is known.
 */
export function refuseFields(
  error: Parameters<typeof describeIssues>[0],
  schema: ZodType,
  { model, param }: { model?: string | undefined; param?: string } = {},
): Refusal {
  const listNames = () => namesOf(schema);
  return new Refusal("invalid_request", describeIssues(error, model, listNames), {
    param: param ?? String(error.issues[0]?.path[0] ?? "body"),
    fields: faultsOf(error.issues.slice(0, MAX_FAULTS), listNames),
  });
}

/** The names of schemas in which an unknown field was found: listing them takes longer than the rest of a refusal. */
const listed = new WeakMap<ZodType, KnownNames>();

function namesOf(schema: ZodType): KnownNames {
  const known =
    listed.get(schema) ??
    (z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" }) as KnownNames);
  listed.set(schema, known);
  return known;
}
