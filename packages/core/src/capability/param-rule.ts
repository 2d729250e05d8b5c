import * as z from "zod";

const enumRule = z.strictObject({
  type: z.literal("enum"),
  values: z.union([z.array(z.string()).min(1), z.array(z.number()).min(1)]),
  default: z.union([z.string(), z.number()]).optional(),
});
const rangeRule = z.strictObject({
  type: z.literal("range"),
  min: z.number(),
  max: z.number(),
  default: z.number().optional(),
  unit: z.string().min(1).optional().describe("The unit of the number: seconds."),
  steps: z.array(z.number()).min(1).optional().describe("The only allowed values between min and max."),
});
const intRule = z.strictObject({
  type: z.literal("int"),
  min: z.int(),
  max: z.int(),
  default: z.int().optional(),
});
const boolRule = z.strictObject({ type: z.literal("bool"), default: z.boolean().optional() });

type EnumRule = z.output<typeof enumRule>;
export type RangeRule = z.output<typeof rangeRule>;
type IntRule = z.output<typeof intRule>;
type BoolRule = z.output<typeof boolRule>;

/** The forms of a rule for one parameter. */
export const paramRule = z.discriminatedUnion("type", [enumRule, rangeRule, intRule, boolRule]);

/** The rule for one parameter. */
export type ParamRule = EnumRule | RangeRule | IntRule | BoolRule;
