import { escapePointer } from "../extra.ts";
import { isObject } from "../json.ts";
import { type Area, areaOf, hasMembers, pathOf, ruleOf, takes, takesParam } from "./area.ts";
import type { Ask, AskedParam, Issue } from "./ask.ts";
import { knownParams } from "./fields.ts";
import { checkInputs } from "./inputs.ts";
import { toIssue } from "./issue.ts";
import { kindOf, type ParamRule } from "./kinds.ts";
import { resembling } from "./resemble.ts";
import { checkRule } from "./rules.ts";
import { fieldOf, listOf, show, typeOf } from "./say.ts";
import type { Capabilities } from "./schema.ts";

/**
 * Compares what a request wants with what a model takes. Findings with the effect `refuse` mean that it cannot be
 * served; `drop` names what has to be left out before it is sent, `note` what looks like a mistake. Absent
 * capabilities mean unconstrained.
 */
export function check(capabilities: Capabilities | undefined, ask: Ask): Issue[] {
  const area = areaOf(capabilities, ask.operation);
  const params = ask.params.flatMap((param) => membersOf(area, param));
  const taken = params.filter((param) => takesParam(area, param));
  const view = { area, ask, params: taken, parts: ask.parts ?? [] };
  return [
    ...params.flatMap((param) => checkParam(area, ask, param) ?? []),
    ...checkInputs(ask, area.inputs),
    ...area.rules.flatMap((rule) => checkRule(rule, view) ?? []),
  ];
}

/** An object as its members, where the rules speak of them. */
function membersOf(area: Area, param: AskedParam): AskedParam[] {
  const { name, path, value } = param;
  if (!isObject(value) || ruleOf(area, name) || !hasMembers(area, name)) return [param];
  const known = takes(area, name);
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined || member === null
      ? []
      : membersOf(area, {
          ...param,
          name: `${name}.${key}`,
          path: `${path}/${escapePointer(key)}`,
          value: member,
          ...(!known && !takes(area, `${name}.${key}`) && { extra: true }),
        }),
  );
}

function checkParam(area: Area, ask: Ask, param: AskedParam): Issue | undefined {
  const rule = ruleOf(area, param.name);
  if (rule) return kindOf(rule).fits(rule, param.value) ? undefined : valueIssue(ask, param, rule);
  if (!isObject(param.value) && hasMembers(area, param.name) && !Object.hasOwn(area.unsupported, param.name))
    return toIssue(ask, {
      ...place(param),
      code: "wrong_type",
      found: `${show(param.value)} is ${typeOf(param.value)}`,
      allowed: "an object",
    });
  if (param.extra && !area.supported?.has(param.name)) return unknownIssue(area, ask, param);
  return takesParam(area, param) ? undefined : unsupportedIssue(area, ask, param);
}

const place = ({ name, path, value }: AskedParam) => ({ name, path, value });

function valueIssue(ask: Ask, param: AskedParam, rule: ParamRule): Issue {
  const { value } = param;
  const kind = kindOf(rule);
  const wrong = typeof value !== kind.is(rule);
  return toIssue(ask, {
    ...place(param),
    code: wrong ? "wrong_type" : "value_not_allowed",
    found: wrong ? `${show(value)} is ${typeOf(value)}` : `${show(value)} is not allowed`,
    allowed: kind.allowed(rule),
  });
}

/** The caller's names of what the model takes. */
const takenFields = (area: Area, ask: Ask): string[] =>
  [...new Set([...(area.supported ?? []), ...knownParams[ask.operation].filter((name) => takes(area, name))])]
    .filter((name) => !Object.hasOwn(area.unsupported, name))
    .map((name) => fieldOf(pathOf(ask, name)));

const MANY = 40;

function unsupportedIssue(area: Area, ask: Ask, param: AskedParam): Issue {
  const effect = Object.hasOwn(area.unsupported, param.name)
    ? area.unsupported[param.name]
    : area.strict
      ? "refuse"
      : "drop";
  const taken = takenFields(area, ask);
  return toIssue(ask, {
    ...place(param),
    code: "unsupported_parameter",
    ...(effect && { effect }),
    found: `the parameter is not supported (${show(param.value)} was asked)`,
    allowed: area.supported ? listOf(taken.slice(0, MANY), "and") : "requests without it",
    ...(effect === "drop" && { more: " It is left out." }),
  });
}

/** A field that nothing is known of is somebody else's business, unless it is a known one misspelt. */
function unknownIssue(area: Area, ask: Ask, param: AskedParam): Issue | undefined {
  const hint = resembling(param.name.slice(param.name.lastIndexOf(".") + 1), takenFields(area, ask));
  if (hint === undefined) return undefined;
  return toIssue(ask, {
    ...place(param),
    code: "unknown_field",
    effect: area.strict ? "refuse" : "note",
    hint,
    found: `there is no such field (${show(param.value)} was asked)`,
    allowed: `'${hint}'`,
    more: ` Did you mean '${hint}'?`,
  });
}
