import { closestName } from "./closest-name.ts";
import { knownParams, spelled } from "./fields.ts";
import type { Capabilities, Clause, CrossRule } from "./schema.ts";
import { type Operation, operations } from "./terms.ts";

/** A name in capabilities that is probably another one misspelt. */
export interface Misspelt {
  /** Its place: `["text", "params", "temprature"]`. */
  path: (string | number)[];
  /** The parameter that was probably meant. */
  meant: string;
}

/**
 * Finds names of parameters that no operation knows and that are almost those of known ones. Other unknown names are
 * the provider's own. A rule under a wrong name is never applied, and a wrong name of a supported parameter leaves the
 * right one unsupported.
 */
export function misspeltParams({ params, rules, ...areas }: Capabilities): Misspelt[] {
  return [
    ...misspeltIn({ params, rules }, operations, []),
    ...operations.flatMap((operation) => misspeltIn(areas[operation] ?? {}, [operation], [operation])),
  ];
}

type Place = { path: (string | number)[]; name: string };

function misspeltIn(
  area: NonNullable<Capabilities[Operation]>,
  of: readonly Operation[],
  base: readonly string[],
): Misspelt[] {
  const known = [
    ...of.flatMap((operation) => knownParams[operation]),
    ...(of.includes("text") ? spelled : []),
  ];
  const names: Place[] = [
    ...Object.keys(area.params ?? {}).map((name) => ({ path: ["params", name], name })),
    ...(area.supportedParameters ?? []).map((name, i) => ({ path: ["supportedParameters", i], name })),
    ...Object.keys(area.unsupported ?? {}).map((name) => ({ path: ["unsupported", name], name })),
    ...(area.rules ?? []).flatMap((rule, i) =>
      fieldsOf(rule).map(({ path, name }) => ({ path: ["rules", i, ...path], name })),
    ),
  ];
  return names.flatMap(({ path, name }) => {
    const meant = known.includes(name) ? undefined : meantBy(name, known);
    return meant === undefined ? [] : [{ path: [...base, ...path], meant }];
  });
}

/** The known name, or the member of a known one, that a name was probably meant to be. */
function meantBy(name: string, names: readonly string[]): string | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 0)
    return closestName(
      name,
      names.filter((one) => !one.includes(".")),
    );
  const [owner, member] = [name.slice(0, dot), name.slice(dot + 1)];
  const meant = names.includes(owner) ? undefined : meantBy(owner, names);
  if (meant !== undefined) return `${meant}.${member}`;
  return closestName(
    member,
    names.filter((one) => one.startsWith(`${owner}.`)),
  );
}

/** The names of parameters in a rule. */
function fieldsOf(rule: CrossRule): Place[] {
  const ofClause = (clause: Clause, ...path: (string | number)[]): Place[] =>
    "field" in clause ? [{ path: [...path, "field"], name: clause.field }] : [];
  const ofClauses = (member: string, clauses: readonly Clause[]): Place[] =>
    clauses.flatMap((clause, i) => ofClause(clause, member, i));
  switch (rule.type) {
    case "requires":
      return [...ofClause(rule.if, "if"), ...ofClauses("need", rule.need)];
    case "excludes":
      return [...ofClause(rule.if, "if"), ...ofClauses("not", rule.not)];
    case "never":
      return ofClause(rule.if, "if");
    case "sum":
      return ofClauses("of", rule.of);
    case "size":
      return [{ path: ["field"], name: rule.field }];
  }
}
