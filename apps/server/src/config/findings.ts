import type { KnownNames } from "@manifold-gateway/core/capability";
import { validate } from "@manifold-gateway/core/codec";
import { type FieldFault, faultsOf } from "@manifold-gateway/core/plan";
import { plainWords } from "@manifold-gateway/core/schema";
import { z } from "zod";

/** A value as a schema reads it, or what is wrong with its fields. */
export type Checked<T> = { value: T } | { faults: FieldFault[] };

/** Checks a value by a schema. An unknown field is described with the known ones. */
export function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Checked<z.output<Schema>> {
  const parsed = validate(schema, value, plainWords);
  if (parsed.success) return { value: parsed.data as z.output<Schema> };
  const listNames = () => z.toJSONSchema(schema, { io: "input", reused: "inline" }) as KnownNames;
  return { faults: faultsOf(parsed.error?.issues ?? [], listNames) };
}

/** What is wrong with a value whose name is known, as one phrase. */
export const describeFaults = (faults: readonly FieldFault[]): string =>
  faults.map(({ text }) => text).join(", ");
