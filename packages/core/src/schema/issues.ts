import { isObject, lookup } from "../json/json.ts";
import type { Need, Node, NumberNode, RecordNode, StringNode, UnionNode, VariantNode } from "./node.ts";

/** Something wrong with a value. */
export interface Issue {
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
      return node.values.includes(value as string)
        ? undefined
        : [hard("invalid_value", expected(node.values))];
    case "record":
      return isObject(value) ? ofRecord(node, value) : ofType("record", value, node.message);
    case "array": {
      if (!Array.isArray(value)) return ofType("array", value);
      const { items, min = 0, message } = node;
      let issues: Issue[] | undefined;
      for (let i = 0; i < value.length && (issues?.length ?? 0) < MAX_ISSUES; i++)
        issues = below(i, issuesOf(items, value[i]), issues);
      if (value.length >= min || issues?.some(isHard)) return issues;
      return [...(issues ?? []), soft("too_small", message ?? small("array", `have >=${min} items`))];
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
const small = (origin: string, bound: string): string => `Too small: expected ${origin} to ${bound}`;

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

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : typeof value;
}

const ofType = (type: string, value: unknown, message?: string): Issue[] => [
  hard("invalid_type", message ?? `Invalid input: expected ${type}, received ${typeOf(value)}`),
];

const expected = (values: readonly string[]): string => {
  const words = values.map((word) => `"${word}"`).join("|");
  return values.length === 1
    ? `Invalid input: expected ${words}`
    : `Invalid option: expected one of ${words}`;
};

function ofString({ min = 0, pattern, message }: StringNode, value: string): Issue[] | undefined {
  if (value.length < min) return [soft("too_small", message ?? small("string", `have >=${min} characters`))];
  if (!pattern || pattern.test(value)) return undefined;
  return [soft("invalid_format", message ?? `Invalid string: must match pattern ${pattern}`)];
}

function ofNumber({ integer, min, max }: NumberNode, value: number): Issue[] | undefined {
  const big = (bound: string): Issue => soft("too_big", `Too big: expected ${bound}`);
  const issues: Issue[] = [];
  if (integer && !Number.isInteger(value)) return ofType("int", value);
  if (integer && value > Number.MAX_SAFE_INTEGER) issues.push(big(`int to be <=${Number.MAX_SAFE_INTEGER}`));
  if (integer && value < Number.MIN_SAFE_INTEGER)
    issues.push(soft("too_small", small("int", `be >=${Number.MIN_SAFE_INTEGER}`)));
  if (min !== undefined && value < min) issues.push(soft("too_small", small("number", `be >=${min}`)));
  if (max !== undefined && value > max) issues.push(big(`number to be <=${max}`));
  return issues.length > 0 ? issues : undefined;
}

function ofRecord({ values }: RecordNode, value: Record<string, unknown>): Issue[] | undefined {
  let issues: Issue[] | undefined;
  if (values)
    for (const name of Object.keys(value)) issues = below(name, issuesOf(values, value[name]), issues);
  return issues;
}

function ofNeed({ noun, by, absent, members }: Need, value: Record<string, unknown>): Issue | undefined {
  const word = value[by] ?? absent;
  const member = typeof word === "string" ? lookup(members, word) : undefined;
  if (member === undefined || (value[member] !== undefined && value[member] !== null)) return undefined;
  return { ...soft("custom", `A ${noun} of ${by} "${word}" needs "${member}"`), path: [member] };
}

/** The issues of the option that has the right type, if it is one; else those of all options. */
function ofUnion({ options, message = "Invalid input" }: UnionNode, value: unknown): Issue[] | undefined {
  const errors: Issue[][] = [];
  for (const option of options) {
    const issues = issuesOf(option, value);
    if (!issues) return undefined;
    errors.push(issues);
  }
  const [fitting, ...others] = errors.filter((issues) => !issues.some(isHard));
  return fitting && others.length === 0 ? fitting : [{ ...hard("invalid_union", message), errors }];
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
    ? [{ ...soft("invalid_value", message ?? expected(Object.keys(cases))), path: [by] }]
    : undefined;
}
