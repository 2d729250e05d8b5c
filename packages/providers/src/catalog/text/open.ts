import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

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

/** Families that many hosts serve, most of them on the chat wire. */
export const open: readonly Family[] = [
  { names: ["deepseek*"], traits: {}, source: "deepseek-thinking" },
  { names: ["magistral*"], traits: {}, source: "mistral-issue" },
  { names: ["mistral-{medium-3-5,small-4,medium-2604,small-2603}"], traits: {}, source: "mistral-issue" },
  {
    names: ["{mistral,ministral,mixtral,voxtral,codestral,devstral,pixtral}*"],
    traits: {},
    source: "mistral-issue",
  },
  { names: ["kimi-k2-{5,6}"], traits: { ...smallSchemas }, source: "kimi-parameters" },
  { names: ["kimi-k2-7"], traits: { ...smallSchemas }, source: "kimi-parameters" },
  { names: ["{moonshot-v1,kimi-k2}*"], traits: { ...smallSchemas }, source: "kimi-parameters" },
  { names: ["kimi*", "k3"], traits: { ...smallSchemas }, source: "kimi-parameters" },
  {
    names: ["glm-4", "glm-4-{5,6,7}*", "glm-4-*", "glm-5", "glm-5-{1,2}"],
    traits: {},
    source: "model-probes",
  },
  { names: ["glm-*"], traits: {}, source: "model-probes" },
  { names: ["minimax-m2*"], traits: {}, source: "minimax-issue" },
  { names: ["minimax*"], traits: {}, source: "minimax-issue" },
  { names: ["grok-3-mini"], traits: {}, source: "grok-reasoning" },
  { names: ["grok-4*-multi-agent*"], traits: {}, source: "grok-reasoning" },
  { names: ["grok-{4,4-1,4-20,build-0,code}", "grok-4-fast*"], traits: {}, source: "grok-reasoning" },
  { names: ["grok-4-3"], traits: {}, source: "grok-reasoning" },
  { names: ["grok-4-5"], traits: {}, source: "grok-reasoning" },
  { names: ["grok-*"], traits: {}, source: "grok-reasoning" },
  { names: ["{command-a,north}*"], traits: {}, source: "model-probes" },
  { names: ["{qwen*-thinking,qwq,qvq}*"], traits: {}, source: "model-probes" },
  { names: ["qwen*-{instruct,coder}*"], traits: {}, source: "model-probes" },
  { names: ["qwen-{plus,flash,turbo}*", "qwen3-{5,6,7}*", "qwen3"], traits: {}, source: "model-probes" },
  { names: ["qwen2*", "qwen1*"], traits: {}, source: "model-probes" },
  { names: ["qwen*"], traits: {}, source: "model-probes" },
  { names: ["{doubao,seed}-*"], traits: {}, source: "model-list" },
  { names: ["step-3-5"], traits: {}, source: "model-list" },
  { names: ["step-3-7"], traits: {}, source: "model-list" },
  { names: ["{hunyuan,hy3}*"], traits: {}, source: "model-list" },
  { names: ["sonar*"], traits: {}, source: "model-profiles" },
  { names: ["nova-2*"], traits: { schemaRefuses: ["references"] }, source: "model-profiles" },
  {
    names: ["nova-{micro,lite,pro,premier}"],
    traits: { schemaRefuses: ["references"] },
    source: "model-profiles",
  },
  { names: ["llama*"], traits: { schemaRefuses: ["references"] }, source: "model-profiles" },
];
