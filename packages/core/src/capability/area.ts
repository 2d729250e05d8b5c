import { lookup } from "../json/json.ts";
import type { Ask, RequestedParam } from "./ask.ts";
import type { ParamRule } from "./param-rule.ts";
import type { Capabilities, CrossRule, Inputs } from "./schema.ts";
import type { Operation } from "./terms.ts";

/** The capabilities in one operation. */
export interface Area {
  params: Readonly<Record<string, ParamRule>>;
  /** The accepted parameters. Absent: all. */
  supported?: ReadonlySet<string>;
  unsupported: Readonly<Record<string, "refuse" | "drop">>;
  inputs?: Inputs;
  rules: readonly CrossRule[];
  strict: boolean;
}

/**
 * The rules of one operation. For media, `params` closes the list of parameters, because media catalogs list every
 * one; text models bound a few of many, so only `supportedParameters` closes their list.
 */
export function areaOf(capabilities: Capabilities | undefined, operation: Operation): Area {
  const { strictParams = false, params, inputs, rules = [], ...areas } = capabilities ?? {};
  const area = areas[operation] ?? {};
  const all = { ...params, ...area.params };
  const allRules = [...rules, ...(area.rules ?? [])];
  const bounded = operation !== "text" && (params ?? area.params) !== undefined;
  const closed = area.supportedParameters !== undefined || bounded;
  const taken = area.inputs ?? inputs;
  return {
    params: all,
    ...(closed && {
      supported: new Set([
        ...Object.keys(all),
        ...(area.supportedParameters ?? []),
        ...allRules.flatMap((rule) => (rule.type === "size" ? [rule.field] : [])),
      ]),
    }),
    unsupported: area.unsupported ?? {},
    ...(taken && { inputs: taken }),
    rules: allRules,
    strict: strictParams,
  };
}

/** Checks whether a parameter, or the object that it is a member of, is supported. */
export function accepts(area: Area, name: string): boolean {
  if (lookup(area.unsupported, name) !== undefined) return false;
  if (!area.supported) return true;
  for (let at = name.length; at > 0; at = name.lastIndexOf(".", at - 1))
    if (area.supported.has(name.slice(0, at))) return true;
  return false;
}

/** Checks whether rules or lists name members of this parameter. */
export const hasMembers = (area: Area, name: string): boolean =>
  [...Object.keys(area.params), ...(area.supported ?? []), ...Object.keys(area.unsupported)].some((param) =>
    param.startsWith(`${name}.`),
  );

/** The rule of a parameter, where it has one. */
export const ruleOf = (area: Area, name: string): ParamRule | undefined =>
  lookup(area.unsupported, name) === undefined ? lookup(area.params, name) : undefined;

/** Checks whether a model accepts a requested parameter, under its name or another one. */
export const acceptsParam = (area: Area, param: RequestedParam): boolean =>
  accepts(area, param.name) ||
  (lookup(area.unsupported, param.name) === undefined &&
    (param.free === true || (param.also ?? []).some((name) => accepts(area, name))));

/** Default values of parameters, by name. */
export function defaultsOf(
  capabilities: Capabilities | undefined,
  operation: Operation,
): Record<string, string | number | boolean> {
  const area = areaOf(capabilities, operation);
  return Object.fromEntries(
    Object.keys(area.params).flatMap((name) => {
      const value = ruleOf(area, name)?.default;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The caller's pointer for a parameter. */
export const pathOf = (ask: Ask, name: string): string =>
  ask.names?.get(name) ?? `/${name.replaceAll(".", "/")}`;
