import { lookup, optionalKeywords, type Traits } from "@manifold-gateway/core/codec";
import { type Effort, efforts, type ParamName, paramFacts } from "@manifold-gateway/core/ir";
import type { Finding } from "./phrases/index.ts";
import { lastMember, paramAt } from "./wire-members.ts";

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

type OptionalParam = Exclude<ParamName, "maxTokens">;
type Meaning = Traits | ((traits: Traits) => Traits);

const THINKING = ["adaptive", "manual", "off"] as const;

/** The ways of thinking that remain without one of them. */
const withoutWay =
  (way: (typeof THINKING)[number]): Meaning =>
  ({ thinking = THINKING }) => ({ thinking: thinking.filter((other) => other !== way) });

const PENALTIES = ["frequencyPenalty", "presencePenalty"] as const;
/** Parameters of which a model refuses all or none. */
const kin: readonly (readonly OptionalParam[])[] = [PENALTIES, ["logprobs", "topLogprobs"]];

const refusing =
  (params: readonly OptionalParam[]) =>
  ({ refuses = [] }: Traits): Traits => ({ refuses: [...new Set([...refuses, ...params])] });

/** What an answer's shape may not stand together with, and one more. */
const conflicting =
  (other: NonNullable<Traits["formatConflicts"]>[number]): Meaning =>
  ({ formatConflicts = [] }) => ({ formatConflicts: [...new Set([...formatConflicts, other])] });

/** The traits that findings mean. A finding without a row is not adapted to. */
const meanings: { readonly [name in Finding]?: Meaning } = {
  "developer role": { developer: false },
  "system text": { system: false },
  "system text after the first turn": { midSystem: false },
  "turns of one role": { alternates: true },
  "assistant turn first": { alternates: true },
  "assistant turn last": { prefill: false },
  "user turn after results": { userAfterResults: false },
  "spelling of call ids": { callIdLength: 9 },
  "free-text tools": { freeform: false },
  "effort beside functions": { onChat: "unthinkingTools" },
  sampling: { sampling: "usual" },
  "temperature beside top_p": { sampling: "one" },
  "sampling while thinking": { sampling: "unthinking" },
  thinking: { thinking: [] },
  "thinking off": withoutWay("off"),
  "thinking by budget": withoutWay("manual"),
  "thinking by effort": withoutWay("adaptive"),
  "budgets instead of levels": { thinkingBy: "budget" },
  "levels instead of budgets": { thinkingBy: "level" },
  "effort beside a switch": { efforts: [] },
  "strict tools": { strict: false },
  "media in results": { resultMedia: false },
  "forced choice": { forcedChoice: false },
  "forced choice while thinking": { forcedChoice: "unthinking" },
  "several calls": { parallelCalls: false },
  format: { format: false },
  "format by schema": { format: "object" },
  "format beside functions": conflicting("tools"),
  "format while thinking": conflicting("thinking"),
  "thoughts missing": { reasoningBack: "always" },
  "thoughts missing at calls": { reasoningBack: "calls" },
  "thoughts sent": { reasoningBack: false },
  "ids of calls": { callIds: false },
  "usage of streams": { streamUsage: false },
  "schemas in the newer dialect": { jsonSchema: false },
  penalties: refusing(PENALTIES),
};

/** Members that are a finding when they are refused, by their last step. */
const findingsByMember: Readonly<Record<string, Finding>> = {
  thinking: "thinking",
  reasoning: "thinking",
  enablethinking: "thinking",
  thinkingconfig: "thinking",
  thinkingbudget: "levels instead of budgets",
  thinkinglevel: "budgets instead of levels",
  reasoningeffort: "thinking",
  effort: "thinking",
  responseformat: "format",
  outputformat: "format",
  responsemimetype: "format",
  responseschema: "format",
  responsejsonschema: "schemas in the newer dialect",
  toolchoice: "forced choice",
  paralleltoolcalls: "several calls",
  reasoningcontent: "thoughts sent",
  strict: "strict tools",
  custom: "free-text tools",
  streamoptions: "usage of streams",
  parts: "media in results",
  parametersjsonschema: "schemas in the newer dialect",
};

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
  const named = lookup(findingsByMember, member);
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
  if (!allowed) return refusing(kin.find((all) => all.includes(param)) ?? [param])(traits);
  const values = allowed.map((word) => (paramFacts[param].kind === "number" ? Number(word) : word));
  return { accepts: { ...traits.accepts, [param]: values } };
}
