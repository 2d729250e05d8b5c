import { validate } from "@manifold-gateway/core/codec";
import { faultsOf } from "@manifold-gateway/core/plan";
import { optionError, plainWords } from "@manifold-gateway/core/schema";
import { z } from "zod";

/**
 * Checks the options of a function, which may come from where no compiler sees them. Throws a `TypeError` that names
 * those that are wrong.
 */
export function checkOptions(of: string, rules: z.ZodType, options: unknown): void {
  const { error } = validate(rules, options, plainWords);
  if (!error) return;
  const listNames = () => z.toJSONSchema(rules, { io: "input", unrepresentable: "any" }) as object;
  throw optionError(of, faultsOf(error.issues, listNames), options);
}

/** Defaults, with the members of options that have a value. */
export function withDefaults<T extends object>(defaults: T, options: Partial<T> = {}): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
