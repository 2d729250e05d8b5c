import { escapePointer } from "../ir/extra.ts";
import { isObject } from "../json/json.ts";
import { type Area, accepts, acceptsParam, areaOf, hasMembers, pathOf, ruleOf } from "./area.ts";
import type { Ask, Issue, RequestedParam } from "./ask.ts";
import { closestName } from "./closest-name.ts";
import { isKnown, knownParams } from "./fields.ts";
import { checkInputs } from "./inputs.ts";
import { toIssue } from "./issue.ts";
import { kindOf } from "./kinds.ts";
import { fieldOf, listOf, show, typeOf } from "./message-text.ts";
import type { ParamRule } from "./param-rule.ts";
import { checkRule } from "./rules.ts";
import type { Capabilities } from "./schema.ts";

/**
 * Compares a request with what its model accepts. Of the findings, `refuse` means that the request cannot be served,
 * `drop` that a member is removed before it is sent, and `note` that something looks like a mistake. Without
 * capabilities, anything is accepted.
 */
export function check(capabilities: Capabilities | undefined, ask: Ask): Issue[] {
  const area = areaOf(capabilities, ask.operation);
  const params = ask.params.flatMap((param) => membersOf(area, ask, param));
  const taken = params.filter((param) => acceptsParam(area, param) && !isStray(ask, param));
  const view = { area, ask, params: taken, parts: ask.parts ?? [] };
  return [
    ...params.flatMap((param) => checkParam(area, ask, param) ?? []),
    ...checkInputs(ask, area.inputs),
    ...area.rules.flatMap((rule) => checkRule(rule, view) ?? []),
  ];
}

/** The members of an object, if rules name any of them; otherwise the object itself. */
function membersOf(area: Area, ask: Ask, param: RequestedParam): RequestedParam[] {
  const { name, path, value } = param;
  if (!isObject(value) || ruleOf(area, name) || !hasMembers(area, name)) return [param];
  const known = accepts(area, name);
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined || member === null
      ? []
      : membersOf(area, ask, {
          ...param,
          name: `${name}.${key}`,
          path: ask.names?.get(`${name}.${key}`) ?? `${path}/${escapePointer(key)}`,
          value: member,
          ...(!known && !accepts(area, `${name}.${key}`) && { extra: true }),
        }),
  );
}

/** Checks whether a field merely has the name of a parameter that the caller's wire spells in another way. */
function isStray(ask: Ask, { extra, name, path }: RequestedParam): boolean {
  const wirePath = ask.names?.get(name);
  return extra === true && wirePath !== undefined && wirePath !== path;
}

function checkParam(area: Area, ask: Ask, param: RequestedParam): Issue | undefined {
  if (isStray(ask, param)) return unknownIssue(area, ask, param);
  const rule = ruleOf(area, param.name);
  if (rule) return kindOf(rule).fits(rule, param.value) ? undefined : valueIssue(ask, param, rule);
  if (!isObject(param.value) && hasMembers(area, param.name) && !Object.hasOwn(area.unsupported, param.name))
    return toIssue(ask, {
      ...place(param),
      code: "wrong_type",
      problem: `${show(param.value)} is ${typeOf(param.value)}`,
      allowed: "an object",
    });
  if (param.extra && !names(area, param.name)) return unknownIssue(area, ask, param);
  return acceptsParam(area, param) ? undefined : unsupportedIssue(area, ask, param);
}

/** Checks whether the capabilities list this name. */
const names = (area: Area, name: string): boolean =>
  area.supported?.has(name) === true || Object.hasOwn(area.unsupported, name);

const place = ({ name, path, value }: RequestedParam) => ({ name, path, value });

function valueIssue(ask: Ask, param: RequestedParam, rule: ParamRule): Issue {
  const { value } = param;
  const kind = kindOf(rule);
  const wrong = typeof value !== kind.is(rule);
  return toIssue(ask, {
    ...place(param),
    code: wrong ? "wrong_type" : "value_not_allowed",
    problem: wrong ? `${show(value)} is ${typeOf(value)}` : `${show(value)} is not allowed`,
    allowed: kind.allowed(rule),
  });
}

/** Checks whether the caller's wire has a field for a parameter. */
const hasField = (ask: Ask, name: string): boolean =>
  !ask.names || ask.names.has(name) || !isKnown(ask.operation, name);

/** The parameters that the model takes and the caller's wire has. */
const acceptedNames = (area: Area, ask: Ask): string[] =>
  [
    ...new Set([
      ...(area.supported ?? []),
      ...knownParams[ask.operation].filter((name) => accepts(area, name)),
    ]),
  ].filter((name) => !Object.hasOwn(area.unsupported, name) && hasField(ask, name));

const MAX_NAMES = 40;
const describeAccepted = (area: Area, ask: Ask): string =>
  listOf(
    acceptedNames(area, ask)
      .slice(0, MAX_NAMES)
      .map((name) => fieldOf(pathOf(ask, name))),
    "and",
  );

function unsupportedIssue(area: Area, ask: Ask, param: RequestedParam): Issue {
  const effect = Object.hasOwn(area.unsupported, param.name)
    ? area.unsupported[param.name]
    : area.strict
      ? "refuse"
      : "drop";
  return toIssue(ask, {
    ...place(param),
    code: "unsupported_parameter",
    ...(effect && { effect }),
    ...(param.neutral && effect === "drop" && { neutral: true as const }),
    problem: `the parameter is not supported (got ${show(param.value)})`,
    allowed: area.supported ? describeAccepted(area, ask) : "requests without it",
    ...(effect === "drop" && { more: " It is left out." }),
  });
}

/** An unknown field is left to the provider, unless it is a known one misspelt. */
function unknownIssue(area: Area, ask: Ask, param: RequestedParam): Issue | undefined {
  const hint = hintOf(area, ask, param.path);
  if (hint === undefined) return undefined;
  return toIssue(ask, {
    ...place(param),
    code: "unknown_field",
    effect: area.strict ? "refuse" : "note",
    hint,
    problem: `there is no such field (got ${show(param.value)})`,
    allowed: area.supported ? describeAccepted(area, ask) : hint,
    more: ` Did you mean '${hint}'?`,
  });
}

/** The caller's field that a misspelt one was probably meant to be: a field in the same object. */
function hintOf(area: Area, ask: Ask, path: string): string | undefined {
  if ([...(ask.names?.values() ?? [])].includes(path)) return undefined;
  const [, parent, field = ""] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  const near = acceptedNames(area, ask)
    .map((name) => ({ name, path: pathOf(ask, name) }))
    .filter((one) => one.path.slice(0, one.path.lastIndexOf("/")) === parent);
  const fields = near.map((one) => fieldOf(one.path));
  const meant = closestName(
    field,
    near.map((one) => one.name),
  );
  return closestName(field, fields) ?? fields[near.findIndex((one) => one.name === meant)];
}
