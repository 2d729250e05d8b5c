import { areaOf, ruleOf, takes } from "./area.ts";
import { kindOf, type ParamRule } from "./kinds.ts";
import type { Capabilities, Operation } from "./schema.ts";

interface Member {
  rule?: ParamRule;
  members: Map<string, Member>;
}

/**
 * TypeScript source of a type for the parameters of one operation: bounded ones with their values, the others as
 * `unknown`. `name` has to be an identifier.
 */
export function toTypes(capabilities: Capabilities | undefined, operation: Operation, name: string): string {
  const area = areaOf(capabilities, operation);
  const root: Member = { members: new Map() };
  for (const param of new Set([...Object.keys(area.params), ...(area.supported ?? [])])) {
    if (!takes(area, param)) continue;
    let at = root;
    for (const key of param.split(".")) {
      const next = at.members.get(key) ?? { members: new Map() };
      at.members.set(key, next);
      at = next;
    }
    const rule = ruleOf(area, param);
    if (rule) at.rule = rule;
  }
  const open = area.supported ? [] : ["  [parameter: string]: unknown;"];
  return [`export interface ${name} {`, ...lines(root, "  "), ...open, "}", ""].join("\n");
}

function lines({ members }: Member, indent: string): string[] {
  return [...members].flatMap(([key, member]) => {
    if (member.members.size > 0 && !member.rule)
      return [`${indent}${key}?: {`, ...lines(member, `${indent}  `), `${indent}};`];
    if (!member.rule) return [`${indent}${key}?: unknown;`];
    const kind = kindOf(member.rule);
    const standard =
      member.rule.default === undefined ? "" : ` Default: ${JSON.stringify(member.rule.default)}.`;
    // Values come from a catalog: none of them may end the comment.
    const said = `${kind.allowed(member.rule)}.${standard}`.replaceAll("*/", "* /");
    return [`${indent}/** ${said} */`, `${indent}${key}?: ${kind.types(member.rule)};`];
  });
}
