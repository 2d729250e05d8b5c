import { numberOf } from "../json/json.ts";
import type { Issue } from "./ask.ts";
import { describeClause, effectiveOf, holds, paramOf, partsOf, type View, writtenAt } from "./clause.ts";
import { toIssue } from "./issue.ts";
import { listOf, show } from "./message-text.ts";
import type { Clause, CrossRule } from "./schema.ts";
import { describeShape, fitsShape, readSize } from "./shape.ts";

type Of<Type extends CrossRule["type"]> = Extract<CrossRule, { type: Type }>;

/** The name and value of the field that a clause speaks of. */
function fieldOfClause(view: View, clause: Clause): { name?: string; value?: unknown } {
  return "field" in clause ? { name: clause.field, value: effectiveOf(view, clause.field) } : {};
}

/** The caller's value, in words that follow its field. */
const describeValue = (view: View, clause: Clause): string =>
  "field" in clause ? show(effectiveOf(view, clause.field)) : describeClause(view.ask, clause);

const describeClauses = (view: View, clauses: readonly Clause[]): string =>
  listOf(clauses.map((clause) => describeClause(view.ask, clause)));

/** What a clause adds to a sum: the value of a number, or the count of its parts. */
function amountOf(view: View, clause: Clause): number {
  if ("input" in clause) return partsOf(view, clause).length;
  const value = effectiveOf(view, clause.field);
  return numberOf(value) ?? 0;
}

const describeSum = (view: View, clauses: readonly Clause[]): string =>
  listOf(
    clauses.map((clause) => ("input" in clause ? `${clause.input} parts` : describeClause(view.ask, clause))),
    "and",
  );

const checks: { [Type in CrossRule["type"]]: (rule: Of<Type>, view: View) => Issue | undefined } = {
  requires(rule, view) {
    const path = writtenAt(view, rule.if);
    if (path === undefined || rule.need.some((clause) => holds(view, clause))) return undefined;
    return toIssue(view.ask, {
      path,
      code: "missing_companion",
      ...fieldOfClause(view, rule.if),
      problem: `${describeValue(view, rule.if)} is missing its companion`,
      allowed: `it only with ${describeClauses(view, rule.need)}`,
    });
  },
  excludes(rule, view) {
    const path = writtenAt(view, rule.if);
    const met = rule.not.filter((clause) => holds(view, clause));
    if (path === undefined || met.length === 0) return undefined;
    return toIssue(view.ask, {
      path,
      code: "conflict",
      ...fieldOfClause(view, rule.if),
      problem: `${describeValue(view, rule.if)} cannot be combined with ${describeClauses(view, met)}`,
      allowed: `it only without ${describeClauses(view, rule.not)}`,
    });
  },
  never(rule, view) {
    const path = writtenAt(view, rule.if);
    if (path === undefined) return undefined;
    const other = "field" in rule.if && rule.if.is;
    return toIssue(view.ask, {
      path,
      code: "value_not_allowed",
      ...fieldOfClause(view, rule.if),
      problem: `${describeValue(view, rule.if)} is not accepted`,
      allowed: other ? "any other value" : "requests without it",
    });
  },
  sum(rule, view) {
    const sum = rule.of.reduce((total, clause) => total + amountOf(view, clause), 0);
    if (sum <= rule.max) return undefined;
    const path = rule.of
      .map((clause) =>
        "field" in clause ? paramOf(view, clause.field)?.path : partsOf(view, clause).at(-1)?.path,
      )
      .find((candidate) => candidate !== undefined);
    return toIssue(view.ask, {
      path: path ?? view.ask.content ?? "/content",
      code: "sum_too_large",
      value: sum,
      problem: `${describeSum(view, rule.of)} add up to ${sum}`,
      allowed: `at most ${rule.max}`,
    });
  },
  size(rule, view) {
    const param = paramOf(view, rule.field);
    if (!param || rule.words?.includes(param.value as string)) return undefined;
    const size = readSize(param.value);
    if (size && fitsShape(rule.shape, size.width, size.height)) return undefined;
    const words = (rule.words ?? []).map(show);
    return toIssue(view.ask, {
      path: param.path,
      code: typeof param.value === "string" ? "value_not_allowed" : "wrong_type",
      name: rule.field,
      value: param.value,
      problem: `${show(param.value)} is not allowed`,
      allowed: listOf([...words, `WIDTHxHEIGHT with ${describeShape(rule.shape)}`]),
    });
  },
};

/** The finding of one rule over several fields. */
export const checkRule = (rule: CrossRule, view: View): Issue | undefined =>
  (checks[rule.type] as (rule: CrossRule, view: View) => Issue | undefined)(rule, view);
