import type { Validator } from "../schema/validator.ts";
import { isRaw } from "../stream/long-integers.ts";

type Checks = Pick<Validator<unknown>, "safeParse">;

/**
 * Checks a value from outside against a schema. `context` is passed on to `safeParse`. Unlike that it never throws for
 * a value: zod compares the `length` of any object with the bounds of the text or list that should stand there, and a
 * `length` that is an object of its own need not convert to a number. Such a `length` then counts as no number.
 */
export function validate<S extends Checks>(
  schema: S,
  value: unknown,
  context?: Parameters<Checks["safeParse"]>[1],
): ReturnType<S["safeParse"]> {
  try {
    return schema.safeParse(value, context) as ReturnType<S["safeParse"]>;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    makeLengthsComparable(value);
    return schema.safeParse(value, context) as ReturnType<S["safeParse"]>;
  }
}

/** Not enumerable, so that neither JSON text nor a copy of the value has it. */
const conversion = { value: () => Number.NaN, configurable: true };

function makeLengthsComparable(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    makeLengthsComparable(inner);
    if (name !== "length" || typeof inner !== "object" || inner === null) continue;
    // A long integer is a frozen object, so its rounded number replaces it.
    if (isRaw(inner)) (value as { length: unknown }).length = Number(JSON.stringify(inner));
    else Object.defineProperty(inner, Symbol.toPrimitive, conversion);
  }
}
