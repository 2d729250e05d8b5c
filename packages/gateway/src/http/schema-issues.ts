import type { KnownNames } from "@manifold-gateway/core/capability";
import { describeIssues, faultsOf } from "@manifold-gateway/core/plan";
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
  const names = namesOf(schema);
  return new Refusal(
    "invalid_request",
    describeIssues(error, model, () => names),
    {
      param: param ?? String(error.issues[0]?.path[0] ?? "body"),
      fields: faultsOf(error.issues, () => names),
    },
  );
}

const namesOf = (schema: ZodType): KnownNames =>
  z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" }) as KnownNames;
