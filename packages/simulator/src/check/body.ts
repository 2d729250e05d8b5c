import type * as z from "zod";
import type { Refusal } from "../refusal.ts";
import { type Finding, firstFinding } from "./finding.ts";

/** A body that fits its schema; else it is refused in the words of a wire. */
export function checked<S extends z.ZodType>(
  schema: S,
  input: unknown,
  spell: (finding: Finding) => Refusal,
): z.infer<S> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw spell(firstFinding(parsed.error, input));
  return parsed.data;
}
