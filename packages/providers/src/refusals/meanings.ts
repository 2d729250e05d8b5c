import type { Traits } from "@manifold-gateway/core/codec";
import type { ParamName } from "@manifold-gateway/core/ir";
import type { Finding } from "./phrases/index.ts";

export type OptionalParam = Exclude<ParamName, "maxTokens">;
type Meaning = Traits | ((traits: Traits) => Traits);

export const THINKING = ["adaptive", "manual", "off"] as const;

/** The ways of thinking that remain without one of them. */
const withoutThinking =
  (way: (typeof THINKING)[number]): Meaning =>
  ({ thinking = THINKING }) => ({ thinking: thinking.filter((other) => other !== way) });

const PENALTIES = ["frequencyPenalty", "presencePenalty"] as const;
/** Parameters of which a model refuses all or none. */
export const jointlyRefused: readonly (readonly OptionalParam[])[] = [PENALTIES, ["logprobs", "topLogprobs"]];

export const withRefused =
  (params: readonly OptionalParam[]) =>
  ({ refuses = [] }: Traits): Traits => ({ refuses: [...new Set([...refuses, ...params])] });

/** What an answer's shape may not stand together with, and one more. */
const withFormatConflict =
  (other: NonNullable<Traits["formatConflicts"]>[number]): Meaning =>
  ({ formatConflicts = [] }) => ({ formatConflicts: [...new Set([...formatConflicts, other])] });

/** The traits that findings mean. A finding without a row is not adapted to. */
export const meanings: { readonly [name in Finding]?: Meaning } = {
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
  "thinking off": withoutThinking("off"),
  "thinking by budget": withoutThinking("manual"),
  "thinking by effort": withoutThinking("adaptive"),
  "budgets instead of levels": { thinkingBy: "budget" },
  "levels instead of budgets": { thinkingBy: "level" },
  "effort beside a switch": { efforts: [] },
  "strict tools": { strict: false },
  "functions without parameters": { toolSchemas: true },
  "regular expressions": ({ schemaWithout = [] }) => ({
    schemaWithout: [...new Set([...schemaWithout, "pattern", "patternProperties"] as const)],
  }),
  "signatures missing": { callSignatures: true },
  "signatures of turns missing": { turnSignatures: true },
  "lists of texts": { messageTexts: false, resultTexts: false },
  media: { media: [] },
  "media in results": { resultMedia: false },
  "forced choice": { forcedChoice: false },
  "forced choice while thinking": { forcedChoice: "unthinking" },
  "several calls": { parallelCalls: false },
  format: { format: false },
  "format by schema": { format: "object" },
  "format beside functions": withFormatConflict("tools"),
  "format while thinking": withFormatConflict("thinking"),
  "thoughts missing": { reasoningBack: "always" },
  "thoughts missing at calls": { reasoningBack: "calls" },
  "thoughts sent": { reasoningBack: false },
  "ids of calls": { callIds: false },
  "usage of streams": { streamUsage: false },
  "schemas in the newer dialect": { jsonSchema: false },
  penalties: withRefused(PENALTIES),
};

/** Members that are a finding when they or their value are refused, by the last step or the last two. */
export const findingsByMember: Readonly<Record<string, Finding>> = {
  thinking: "thinking",
  reasoning: "thinking",
  enablethinking: "thinking",
  thinkingconfig: "thinking",
  chattemplatekwargs: "thinking",
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
  "tools.type": "free-text tools",
  "messages.role": "developer role",
  streamoptions: "usage of streams",
  parts: "media in results",
  parametersjsonschema: "schemas in the newer dialect",
};
