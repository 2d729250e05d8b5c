import { lookup, optionalKeywords, type Traits } from "@manifold-gateway/core/codec";
import { type Effort, efforts, paramFacts } from "@manifold-gateway/core/ir";
import {
  findingsByMember,
  jointlyRefused,
  meanings,
  type OptionalParam,
  THINKING,
  withRefused,
} from "./meanings.ts";
import type { Finding } from "./phrases/index.ts";
import { lastMember, lastMembers, paramAt } from "./wire-members.ts";

/** What a refusal says, read from its words and from the members beside them. */
export interface Findings {
  finding?: Finding | undefined;
  /** The path that the provider blames. */
  parameter?: string | undefined;
  /** The refused value. */
  value?: string | undefined;
  /** The values that are accepted. */
  allowed?: readonly string[] | undefined;
  /** The parameter to use instead. */
  instead?: string | undefined;
  /** The largest number that is accepted. */
  most?: number | undefined;
  /** The least and the greatest number that are accepted. */
  range?: readonly [number, number] | undefined;
  /** The keyword of a schema. */
  keyword?: string | undefined;
}

const EFFORTS = new Set(["reasoningeffort", "effort", "thinkinglevel"]);
/** Where an effort of `none` switches thinking off; on the other wires another member does. */
const OFF_BY_WORD = /^reasoning/;
const BUDGETS = new Set(["thinkingbudget", "budgettokens"]);
const LIMITS: ReadonlyMap<string, NonNullable<Traits["maxTokensField"]>> = new Map([
  ["maxtokens", "max_tokens"],
  ["maxcompletiontokens", "max_completion_tokens"],
]);

/** The traits that findings mean for a model that had these before; `undefined` if there is no trait for them. */
export function traitsFrom(findings: Findings, traits: Traits): Traits | undefined {
  const { finding, keyword, parameter = "" } = findings;
  if (finding) return meaningOf(finding, traits);
  if (keyword !== undefined) return keywordTraits(keyword, traits);
  const member = lastMember(parameter);
  if (member === "") return undefined;
  if (EFFORTS.has(member) && (findings.allowed || findings.value)) return effortTraits(findings, traits);
  if (BUDGETS.has(member) && findings.range) return { budgets: findings.range };
  const param = paramAt(parameter);
  if (param === "maxTokens") return limitTraits(member, findings);
  const named = lookup(findingsByMember, lastMembers(parameter)) ?? lookup(findingsByMember, member);
  if (named) return meaningOf(named, traits);
  return param && paramTraits(param, findings, traits);
}

function meaningOf(finding: Finding, traits: Traits): Traits | undefined {
  const meaning = meanings[finding];
  return typeof meaning === "function" ? meaning(traits) : meaning;
}

/** The efforts that remain, by the words that a model accepts or the one that it refuses; `none` is off. */
function effortTraits({ parameter = "", value, allowed }: Findings, traits: Traits): Traits {
  const { efforts: before = efforts, thinking = THINKING } = traits;
  const words = allowed?.map((word) => word.toLowerCase());
  const refused = value?.toLowerCase();
  const left = words
    ? efforts.filter((effort) => words.includes(effort))
    : before.filter((effort) => !isAsRare(effort, refused));
  const isOffRefused = OFF_BY_WORD.test(parameter) && (words ? !words.includes("none") : refused === "none");
  return {
    efforts: left,
    ...(isOffRefused && { thinking: thinking.filter((way) => way !== "off") }),
  };
}

/**
 * Checks whether a model that refuses one effort is likely to refuse another, which is further from the middle: those at
 * the ends are the rarest.
 */
function isAsRare(effort: Effort, refused: string | undefined): boolean {
  if (refused === "none") return effort === "minimal";
  const order: readonly string[] = efforts;
  const at = order.indexOf(refused ?? "");
  const place = order.indexOf(effort);
  const middle = order.indexOf("medium");
  if (at < middle) return place <= at;
  return at === middle ? place === at : place >= Math.min(at, order.indexOf("xhigh"));
}

/** A keyword that names properties or types is never left out: without it, a tool would take other arguments. */
function keywordTraits(keyword: string, { schemaWithout = [] }: Traits): Traits | undefined {
  const refused = optionalKeywords.find((name) => name === keyword);
  return refused && { schemaWithout: [...new Set([...schemaWithout, refused])] };
}

/** The spelling of the output limit, or its bound. The limit itself is never left out. */
function limitTraits(member: string, { instead, most, allowed, value }: Findings): Traits | undefined {
  if (most !== undefined) return most > 0 ? { maxOutput: most } : undefined;
  if (allowed || value) return undefined;
  const other = instead === undefined ? undefined : LIMITS.get(lastMember(instead));
  const maxTokensField = other ?? [...LIMITS].find(([name]) => name !== member)?.[1];
  return LIMITS.has(member) && maxTokensField ? { maxTokensField } : undefined;
}

/** A model that refuses one of these refuses sampling other than its own. Any other parameter stands alone. */
const SAMPLING: readonly OptionalParam[] = ["temperature", "topP"];

function paramTraits(param: OptionalParam, { allowed }: Findings, traits: Traits): Traits {
  if (SAMPLING.includes(param)) return { sampling: "usual" };
  const isNumber = paramFacts[param].kind === "number";
  const values = (allowed ?? [])
    .map((word) => (isNumber ? Number(word) : word))
    .filter((value) => !Number.isNaN(value));
  if (values.length > 0) return { accepts: { ...traits.accepts, [param]: values } };
  return withRefused(jointlyRefused.find((all) => all.includes(param)) ?? [param])(traits);
}
