import type { JsonObject } from "../json/json.ts";
import { listOf, show } from "./message-text.ts";
import type { ParamRule, RangeRule } from "./param-rule.ts";

/** A fault of a catalog entry: where below the rule, and what is wrong. */
type Fault = [path: (string | number)[], message: string];

/** All that the code needs about one type of rule. */
interface Kind<Rule> {
  /** The result of `typeof` for a value of the right type. */
  is(rule: Rule): "string" | "number" | "boolean";
  fits(rule: Rule, value: unknown): boolean;
  /** Describes the allowed values, for people. */
  allowed(rule: Rule): string;
  /** JSON Schema of the value. */
  schema(rule: Rule): JsonObject;
  /** TypeScript type of the value. */
  types(rule: Rule): string;
  /** Finds faults of the rule itself, beyond its shape. */
  faults(rule: Rule): Fault[];
}

const includes = (values: readonly unknown[], value: unknown): boolean => values.includes(value);
const inside = ({ min, max }: { min: number; max: number }, value: unknown): boolean =>
  typeof value === "number" && value >= min && value <= max;
const literals = (values: readonly (string | number)[]): string =>
  values.map((value) => JSON.stringify(value)).join(" | ");
const ordered = ({ min, max }: { min: number; max: number }): Fault[] =>
  min > max ? [[["max"], `is below min, ${min}`]] : [];
const stepsOf = (rule: RangeRule): number[] | undefined => rule.steps?.filter((step) => inside(rule, step));

const kinds: { [Type in ParamRule["type"]]: Kind<Extract<ParamRule, { type: Type }>> } = {
  enum: {
    is: ({ values }) => (typeof values[0] === "number" ? "number" : "string"),
    fits: ({ values }, value) => includes(values, value),
    allowed: ({ values }) => listOf(values.map(show)),
    schema: ({ values }) => ({ type: typeof values[0] === "number" ? "number" : "string", enum: values }),
    types: ({ values }) => literals(values),
    faults: ({ values }) =>
      values.flatMap((value, i): Fault[] =>
        includes(values.slice(0, i), value) ? [[["values", i], `${show(value)} is listed twice`]] : [],
      ),
  },
  range: {
    is: () => "number",
    fits: (rule, value) => inside(rule, value) && (!rule.steps || includes(rule.steps, value)),
    allowed: (rule) =>
      (stepsOf(rule) ? listOf((stepsOf(rule) ?? []).map(show)) : `numbers from ${rule.min} to ${rule.max}`) +
      (rule.unit === undefined ? "" : ` ${rule.unit}`),
    schema: (rule): JsonObject => {
      const steps = stepsOf(rule);
      if (steps?.length === 0) return { type: "number", not: {} };
      if (steps) return { type: "number", enum: steps };
      return { type: "number", minimum: rule.min, maximum: rule.max };
    },
    types: (rule) => (rule.steps ? literals(stepsOf(rule) ?? []) || "never" : "number"),
    faults: (rule) => [
      ...ordered(rule),
      ...(rule.steps ?? []).flatMap((step, i): Fault[] =>
        inside(rule, step) ? [] : [[["steps", i], `${step} is outside ${rule.min} to ${rule.max}`]],
      ),
    ],
  },
  int: {
    is: () => "number",
    fits: (rule, value) => Number.isInteger(value) && inside(rule, value),
    allowed: ({ min, max }) => `whole numbers from ${min} to ${max}`,
    schema: ({ min, max }) => ({ type: "integer", minimum: min, maximum: max }),
    types: () => "number",
    faults: ordered,
  },
  bool: {
    is: () => "boolean",
    fits: (_, value) => typeof value === "boolean",
    allowed: () => "true or false",
    schema: () => ({ type: "boolean" }),
    types: () => "boolean",
    faults: () => [],
  },
};

/** The table's row for a rule. */
export const kindOf = (rule: ParamRule): Kind<ParamRule> => kinds[rule.type] as Kind<ParamRule>;
