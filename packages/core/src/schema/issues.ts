import { isObject, lookup } from "../json/json.ts";
import type { Need, Node, NumberNode, RecordNode, StringNode, UnionNode, VariantNode } from "./node.ts";
import { atLeast, atMost, type Expectation, mustBe } from "./words.ts";

/** Something wrong with a value. What was expected is in the names of types, or in the values. */
export interface Issue extends Expectation {
  /** The kind of the fault: `invalid_type`, `too_small`. */
  code: string;
  /** The place of the fault, as the names of members and the indexes of items that lead there. */
  path: PropertyKey[];
  /** The sentence for people. */
  message: string;
  /** True if the value has the right type, and breaks a rule beyond it. */
  soft?: true;
  /** The issues of each option, for a value that is none of a union's. */
  errors?: Issue[][];
  /** The unknown members of an object that may have none. */
  keys?: string[];
}

/** The issues after which no further items of a list are checked. */
const MAX_ISSUES = 100;

/** The issues of a value; nothing where it fits. The value is neither changed nor copied. */
export function issuesOf(node: Node, value: unknown): Issue[] | undefined {
  if (value === undefined ? node.optional : value === null && node.nullable) return undefined;
  switch (node.kind) {
    case "any":
      return undefined;
    case "string":
      return typeof value === "string" ? ofString(node, value) : ofType("string", value);
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? ofNumber(node, value)
        : ofType("number", value);
    case "boolean":
      return typeof value === "boolean" ? undefined : ofType("boolean", value);
    case "enum":
      return node.values.includes(value as string) ? undefined : [ofValues(node.values, value)];
    case "record":
      return isObject(value) ? ofRecord(node, value) : ofType("record", value, node.message);
    case "array": {
      if (!Array.isArray(value)) return ofType("array", value);
      const { items, min = 0, message } = node;
      let issues: Issue[] | undefined;
      for (let i = 0; i < value.length && (issues?.length ?? 0) < MAX_ISSUES; i++)
        issues = below(i, issuesOf(items, value[i]), issues);
      if (value.length >= min || issues?.some(isHard)) return issues;
      return [...(issues ?? []), soft("too_small", message ?? atLeast({ origin: "array", bound: min }))];
    }
    case "object": {
      if (!isObject(value)) return ofType("object", value);
      const { members, needs } = node;
      let issues: Issue[] | undefined;
      for (const name in members) issues = below(name, issuesOf(members[name] as Node, value[name]), issues);
      if (!needs || issues?.some(isHard)) return issues;
      const missing = ofNeed(needs, value);
      return missing ? [...(issues ?? []), missing] : issues;
    }
    case "union":
      return ofUnion(node, value);
    case "variant":
      return ofVariant(node, value);
  }
}

const isHard = (issue: Issue): boolean => !issue.soft;
const hard = (code: string, message: string): Issue => ({ code, path: [], message });
const soft = (code: string, message: string): Issue => ({ code, path: [], message, soft: true });
/** `issues` with those of a member or item, whose paths then begin at the whole. */
function below(
  key: PropertyKey,
  inner: Issue[] | undefined,
  issues: Issue[] | undefined,
): Issue[] | undefined {
  if (!inner) return issues;
  for (const issue of inner) issue.path.unshift(key);
  if (!issues) return inner;
  issues.push(...inner);
  return issues;
}

const ofType = (expected: string, value: unknown, message?: string): Issue[] => [
  { ...hard("invalid_type", message ?? mustBe([{ expected }], value)), expected },
];

const ofValues = (values: readonly string[], value: unknown): Issue => ({
  ...hard("invalid_value", mustBe([{ values }], value)),
  values,
});

function ofString({ min = 0, pattern, message }: StringNode, value: string): Issue[] | undefined {
  if (value.length < min) return [soft("too_small", message ?? atLeast({ origin: "string", bound: min }))];
  if (!pattern || pattern.test(value)) return undefined;
  return [soft("invalid_format", message ?? "must be of another form")];
}

function ofNumber({ integer, min, max }: NumberNode, value: number): Issue[] | undefined {
  const small = (bound: number): Issue => soft("too_small", atLeast({ origin: "number", bound }));
  const big = (bound: number): Issue => soft("too_big", atMost({ origin: "number", bound }));
  const issues: Issue[] = [];
  if (integer && !Number.isInteger(value)) return ofType("int", value);
  if (integer && value > Number.MAX_SAFE_INTEGER) issues.push(big(Number.MAX_SAFE_INTEGER));
  if (integer && value < Number.MIN_SAFE_INTEGER) issues.push(small(Number.MIN_SAFE_INTEGER));
  if (min !== undefined && value < min) issues.push(small(min));
  if (max !== undefined && value > max) issues.push(big(max));
  return issues.length > 0 ? issues : undefined;
}

function ofRecord({ values }: RecordNode, value: Record<string, unknown>): Issue[] | undefined {
  let issues: Issue[] | undefined;
  if (values)
    for (const name of Object.keys(value)) issues = below(name, issuesOf(values, value[name]), issues);
  return issues;
}

function ofNeed(
  { noun, by, absent, members, instead = "" }: Need,
  value: Record<string, unknown>,
): Issue | undefined {
  const word = value[by] ?? absent;
  const member = typeof word === "string" ? lookup(members, word) : undefined;
  if (member === undefined || (value[member] ?? value[instead] ?? null) !== null) return undefined;
  return { ...soft("custom", `A ${noun} of ${by} "${word}" needs "${member}"`), path: [member] };
}

/** The issues of the option that has the right type, if it is one; else those of all options. */
function ofUnion({ options, message }: UnionNode, value: unknown): Issue[] | undefined {
  const errors: Issue[][] = [];
  for (const option of options) {
    const issues = issuesOf(option, value);
    if (!issues) return undefined;
    errors.push(issues);
  }
  const [fitting, ...others] = errors.filter((issues) => !issues.some(isHard));
  if (fitting && others.length === 0) return fitting;
  const kinds = errors.flatMap(([first]) => first ?? []);
  return [{ ...hard("invalid_union", message ?? mustBe(kinds, value)), errors }];
}

function ofVariant(node: VariantNode, value: unknown): Issue[] | undefined {
  const { common, by, cases, absent, closed, message } = node;
  const issues = issuesOf(common, value);
  if (issues)
    return issues.map((issue) => ({ ...issue, soft: true, ...(message !== undefined && { message }) }));
  const record = value as Record<string, unknown>;
  const word = record[by] ?? absent?.(record);
  const one = typeof word === "string" ? lookup(cases, word) : undefined;
  if (one) return issuesOf(one, record)?.map((issue) => ({ ...issue, soft: true }));
  return closed
    ? [
        {
          ...ofValues(Object.keys(cases), word),
          ...(message !== undefined && { message }),
          soft: true,
          path: [by],
        },
      ]
    : undefined;
}
