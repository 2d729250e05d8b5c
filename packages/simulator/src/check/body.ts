import type * as z from "zod";
import type { Refusal } from "../refusal.ts";
import { type Finding, firstFinding } from "./finding.ts";

/** Returns a body that fits its schema. Throws a refusal in the wire's words for any other. */
export function checked<S extends z.ZodType>(
  schema: S,
  input: unknown,
  toRefusal: (finding: Finding) => Refusal,
): z.infer<S> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  return parsed.data;
}
