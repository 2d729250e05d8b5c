import { isObject, type Json, type JsonObject, lookup } from "../json/json.ts";
import { accepts, areaOf, ruleOf } from "./area.ts";
import { kindOf } from "./kinds.ts";
import type { ParamRule } from "./param-rule.ts";
import type { Capabilities } from "./schema.ts";
import type { Operation } from "./terms.ts";

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
    if (!accepts(area, param)) continue;
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
    const description = `${kind.allowed(member.rule)}.${standard}`;
    return [`${indent}${comment(description)}`, `${indent}${key}?: ${kind.types(member.rule)};`];
  });
}

/** Values come from a catalog: none of them may end the comment. */
const comment = (text: string): string => `/** ${text.replaceAll("*/", "* /")} */`;

/** TypeScript source of a type for a body whose JSON Schema lists its members. `name` has to be an identifier. */
export function schemaTypes({ properties, required }: JsonObject, name: string): string {
  const needed = Array.isArray(required) ? required : [];
  const members = Object.entries(isObject(properties) ? properties : {}).flatMap(([key, schema]) => {
    if (!isObject(schema)) return [];
    const notes = [
      ...Object.entries(bounds).flatMap(([bound, say]) =>
        schema[bound] === undefined ? [] : [`${say} ${schema[bound]}.`],
      ),
      ...(schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}.`]),
    ];
    return [
      ...(notes.length > 0 ? [`  ${comment(notes.join(" "))}`] : []),
      `  ${key}${needed.includes(key) ? "" : "?"}: ${typeOfSchema(schema)};`,
    ];
  });
  return [`export interface ${name} {`, ...members, "}", ""].join("\n");
}

const bounds = {
  minimum: "At least",
  maximum: "At most",
  maxLength: "Characters, at most:",
  maxItems: "Items, at most:",
};

const names: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
};

function typeOfSchema(schema: Json | undefined): string {
  if (!isObject(schema)) return "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ") || "never";
  if (schema.type === "array") return `${typeOfSchema(schema.items)}[]`;
  return lookup(names, String(schema.type)) ?? "unknown";
}
