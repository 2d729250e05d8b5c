import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

/** The models that always think, without a setting for how much. */
const settingless: Traits = { thinking: ["adaptive"], efforts: [] };
const thoughtless: Traits = { thinking: [] };

const refused: Traits["refuses"] = ["frequencyPenalty", "presencePenalty", "stop"];

const minimax: readonly Family[] = [
  {
    names: ["minimax-m2*"],
    traits: { ...settingless, ranges: { temperature: [0.01, 1] }, refuses: ["candidates"] },
    source: "minimax-issue",
  },
  {
    names: ["minimax*"],
    traits: {
      thinkingBy: "adaptiveType",
      efforts: [],
      ranges: { temperature: [0.01, 1] },
      refuses: ["candidates"],
    },
    source: "minimax-issue",
  },
];

/** Models that always think, and stop by themselves. */
const selfStopping: Traits = {
  thinking: ["adaptive"],
  refuses: ["stop", "logprobs", "topLogprobs", "candidates", "topK"],
};

const muse: readonly Family[] = [
  {
    names: ["muse-*-open*"],
    traits: { thinking: ["adaptive"], efforts: ["low", "medium", "high", "xhigh"] },
    source: "muse-open",
  },
  {
    names: ["muse-spark-*contributor*", "muse-spark-1-{1,2}"],
    traits: { ...selfStopping, efforts: ["minimal", "low", "medium", "high", "xhigh"], maxOutput: 131072 },
    source: "muse-guide",
  },
  {
    names: ["muse-spark-1-3"],
    traits: {
      ...selfStopping,
      efforts: ["minimal", "low", "medium", "high", "xhigh", "max"],
      maxOutput: 131072,
    },
    source: "muse-guide",
  },
  {
    names: ["muse-*"],
    traits: { ...selfStopping, efforts: ["low", "medium", "high", "xhigh"] },
    source: "muse-cloud",
  },
];

const grok: readonly Family[] = [
  {
    names: ["grok-3-mini"],
    traits: { thinking: ["adaptive"], efforts: ["low", "high"], refuses: refused },
    source: "grok-reasoning",
  },
  { names: ["grok-{1,2,3,beta}*"], traits: {}, source: "model-list" },
  {
    names: ["grok-4*-multi-agent*"],
    traits: { thinking: ["adaptive"], efforts: ["low", "medium", "high", "xhigh"], refuses: refused },
    source: "grok-reasoning",
  },
  {
    names: ["grok-{4,4-1,4-20,build-0,code}"],
    traits: { ...settingless, refuses: refused },
    source: "grok-reasoning",
  },
  {
    names: ["grok-4-3"],
    traits: { efforts: ["low", "medium", "high"], effort: "low", refuses: refused },
    source: "grok-reasoning",
  },
  {
    names: ["grok-4-{6,7}"],
    traits: {
      thinking: ["adaptive"],
      efforts: ["low", "medium", "high", "xhigh"],
      refuses: refused,
    },
    source: "grok-reasoning",
  },
  {
    names: ["grok-*"],
    traits: { thinking: ["adaptive"], efforts: ["low", "medium", "high"], refuses: refused },
    source: "grok-reasoning",
  },
];

const qwen: readonly Family[] = [
  { names: ["{qwen*-thinking,qwq,qvq}*"], traits: settingless, source: "model-probes" },
  { names: ["qwen*-{instruct,coder}*", "qwen{1,2}*"], traits: thoughtless, source: "model-probes" },
  {
    names: ["qwen3-8-*2-4t*"],
    traits: {
      thinking: ["adaptive"],
      efforts: ["minimal", "low", "medium", "high", "xhigh", "max"],
    },
    source: "model-probes",
  },
  {
    names: ["qwen3-8"],
    traits: { efforts: ["minimal", "low", "medium", "high", "xhigh", "max"] },
    source: "model-probes",
  },
  {
    names: ["qwen3-{5,6,7}*", "qwen-{plus,flash,turbo}*", "qwen3"],
    traits: { thinkingBy: "switch" },
    source: "model-probes",
  },
  { names: ["qwen3-*"], traits: { efforts: ["low", "medium", "high"] }, source: "model-probes" },
];

/** Families that many hosts serve, most of them on the chat wire. */
export const others: readonly Family[] = [
  ...minimax,
  ...muse,
  ...grok,
  ...qwen,
  {
    names: ["{command-a,north}*"],
    traits: { efforts: ["high"], ranges: { temperature: [0, 1] } },
    source: "model-probes",
  },
  {
    names: ["{doubao,seed}-*-thinking*"],
    traits: { thinkingBy: "type", thinking: ["adaptive"], efforts: ["minimal", "low", "medium", "high"] },
    source: "model-list",
  },
  {
    names: ["{doubao,seed}-*"],
    traits: { thinkingBy: "type", efforts: ["minimal", "low", "medium", "high"] },
    source: "model-list",
  },
  { names: ["step-3-5"], traits: { thinking: ["adaptive"], efforts: ["low", "high"] }, source: "model-list" },
  {
    names: ["step-3-7"],
    traits: { thinking: ["adaptive"], efforts: ["low", "medium", "high"] },
    source: "model-list",
  },
  { names: ["{hunyuan,hy3}*"], traits: {}, source: "model-list" },
  {
    names: ["sonar-deep-research"],
    traits: { thinking: ["adaptive"], efforts: ["low", "medium", "high"], refuses: ["stop", "seed"] },
    source: "model-probes",
  },
  { names: ["sonar*"], traits: { ...settingless, refuses: ["stop", "seed"] }, source: "model-probes" },
  {
    names: ["nova-2*"],
    traits: {
      efforts: ["low", "medium", "high"],
      schemaRefuses: ["references"],
      modelFields: ["reasoningConfig"],
    },
    source: "nova-issues",
  },
  {
    names: ["nova-{micro,lite,pro,premier}"],
    traits: { ...thoughtless, schemaRefuses: ["references"] },
    source: "model-profiles",
  },
  { names: ["llama*-nemotron*"], traits: { schemaRefuses: ["references"] }, source: "model-list" },
  {
    names: ["llama{2,3,4,-2,-3,-4,-v3,-v4}*"],
    traits: { ...thoughtless, schemaRefuses: ["references"] },
    source: "model-profiles",
  },
];
