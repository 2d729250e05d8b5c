import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

/** The models that always think, without a setting for how much. */
const settingless: Traits = { thinking: ["adaptive"], efforts: [] };
const thoughtless: Traits = { thinking: [] };

/** What the vendor's server refuses on all its wires: github.com/anthropics/claude-code, issue 92964. */
const refusesPatterns: Traits = { schemaRefuses: ["rarePatterns"] };

const deepseek: readonly Family[] = [
  {
    names: ["deepseek-{v4,chat,reasoner}"],
    traits: { ...refusesPatterns, thinkingBy: "type", efforts: ["low", "high", "max"], maxOutput: 393_216 },
    source: "deepseek-thinking",
  },
  { names: ["deepseek-{coder,llm,prover,r1,v2,v3,vl}*"], traits: {}, source: "model-list" },
  {
    names: ["deepseek*"],
    traits: { ...refusesPatterns, thinkingBy: "type", efforts: ["low", "high"] },
    source: "deepseek-thinking",
  },
];

/** What the vendor's models take wherever they are served: it refuses members that it does not know. */
const strictServer: Traits = {
  sampling: "greedy",
  refuses: ["logprobs", "topLogprobs", "logitBias", "verbosity", "serviceTier", "user", "safetyId", "store"],
};

const mistral: readonly Family[] = [
  { names: ["magistral*"], traits: { ...settingless, ...strictServer }, source: "mistral-issue" },
  {
    names: ["mistral-{medium-2604,small-2603}"],
    traits: { efforts: ["high"], ...strictServer, seedField: "random_seed" },
    source: "mistral-issue",
  },
  {
    names: ["mistral-{medium-3-5,small-4}"],
    traits: { efforts: ["high"], ...strictServer },
    source: "mistral-issue",
  },
  // Names with a month are those of the vendor's own server.
  {
    names: [
      "{mistral,ministral,voxtral,codestral,devstral,pixtral}-*latest",
      "{mistral,ministral,voxtral,codestral,devstral,pixtral}*-2{3,4,5,6}{0,1}*",
    ],
    traits: { ...thoughtless, ...strictServer, seedField: "random_seed" },
    source: "mistral-issue",
  },
  {
    names: ["{mistral,ministral,mixtral,voxtral,codestral,devstral,pixtral}*"],
    traits: { ...thoughtless, ...strictServer },
    source: "mistral-issue",
  },
];

/** A dialect of schemas in which every node names its type: github.com/MoonshotAI/walle, docs/mfjs-spec.md. */
const smallSchemas: Traits = {
  schemaRefuses: [
    "referenceNeighbours",
    "innerReferences",
    "booleans",
    "schemaName",
    "alternativeNeighbours",
    "undeclaredRequired",
    "untyped",
  ],
  strict: false,
};

const kimi: readonly Family[] = [
  {
    names: ["kimi-k2-{5,6}"],
    traits: { ...smallSchemas, thinkingBy: "type", efforts: [], sampling: false, refuses: ["candidates"] },
    source: "kimi-parameters",
  },
  {
    names: ["kimi-k2-7"],
    traits: { ...smallSchemas, ...settingless, sampling: false, refuses: ["candidates"] },
    source: "kimi-parameters",
  },
  {
    names: ["{moonshot-v1,kimi-k2}*"],
    traits: { ...smallSchemas, ...thoughtless, ranges: { temperature: [0, 1] } },
    source: "kimi-parameters",
  },
  {
    names: ["kimi-k3", "k3"],
    traits: {
      ...smallSchemas,
      thinking: ["adaptive"],
      efforts: ["low", "high", "max"],
      sampling: false,
      refuses: ["candidates"],
      stops: 5,
    },
    source: "kimi-parameters",
  },
  {
    names: ["kimi*"],
    traits: {
      ...smallSchemas,
      thinking: ["adaptive"],
      efforts: ["low", "high"],
      sampling: false,
      refuses: ["candidates"],
    },
    source: "kimi-parameters",
  },
];

const glm: readonly Family[] = [
  {
    names: ["glm-{4-5,4-6,4-7}*", "glm-5"],
    traits: { thinkingBy: "type", efforts: [] },
    source: "model-probes",
  },
  { names: ["glm-5-2"], traits: { thinkingBy: "type", efforts: ["high", "max"] }, source: "model-probes" },
  { names: ["glm-4*"], traits: {}, source: "model-list" },
  {
    names: ["glm-5-3"],
    traits: {
      thinking: ["adaptive"],
      efforts: ["low", "high", "max"],
      ranges: { temperature: [0, 1] },
      stops: 1,
      maxOutput: 131_072,
    },
    source: "model-probes",
  },
  {
    names: ["glm-*"],
    traits: { thinking: ["adaptive"], efforts: ["low", "high"], ranges: { temperature: [0, 1] }, stops: 1 },
    source: "model-probes",
  },
];

/** A switch for thinking, and no efforts. */
const switched: Traits = { thinkingBy: "type", efforts: [] };

const mimo: readonly Family[] = [{ names: ["mimo*"], traits: switched, source: "mimo-issue" }];

const longcat: readonly Family[] = [
  { names: ["longcat-flash*"], traits: {}, source: "model-list" },
  { names: ["longcat*"], traits: switched, source: "longcat-issue" },
];

export const open: readonly Family[] = [...deepseek, ...mistral, ...kimi, ...glm, ...mimo, ...longcat];
