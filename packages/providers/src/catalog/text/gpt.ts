import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "model-probes";

/** What every model that thinks refuses. */
const refuses: Traits["refuses"] = ["frequencyPenalty", "presencePenalty", "logitBias", "topLogprobs"];

/** The models that always think. */
const always: Traits = {
  thinking: ["adaptive"],
  sampling: "usual",
  refuses: [...refuses, "stop"],
  maxOutput: 128_000,
};
/** The models that can be kept from thinking, and then take sampling. */
const stoppable: Traits = {
  thinking: ["adaptive", "off"],
  efforts: ["low", "medium", "high", "xhigh"],
  effort: "medium",
  sampling: "unthinking",
  refuses,
  maxOutput: 128_000,
};
const thoughtless: Traits = { thinking: [], refuses: ["verbosity"] };

const gpt6: readonly Family[] = [
  {
    names: ["gpt-6-astra"],
    traits: { ...always, efforts: ["low", "medium", "high", "xhigh"], onChat: "noTools" },
    source: "gpt-6-guide",
  },
  {
    names: ["gpt-6-1-sol"],
    traits: { ...always, refuses, efforts: ["low", "medium", "high", "xhigh"], onChat: "noTools" },
    source: "gpt-6-guide",
  },
  {
    names: ["gpt-6-1-terra"],
    traits: { ...stoppable, efforts: ["low", "medium", "high", "xhigh", "max"] },
    source: "gpt-6-guide",
  },
  {
    names: ["gpt-6-{sol,luna}"],
    traits: {
      ...stoppable,
      efforts: ["low", "medium", "high", "xhigh", "max"],
      onChat: "unthinkingTools",
    },
    source: "gpt-6-guide",
  },
];

const gpt5: readonly Family[] = [
  { names: ["gpt-5-chat"], traits: { thinking: [], maxOutput: 16_384 }, source },
  {
    names: ["gpt-5-{1,2,3}-chat", "chat-latest"],
    traits: {
      ...always,
      efforts: ["medium"],
      refuses: [...refuses, "verbosity"],
      maxOutput: 16_384,
    },
    source,
  },
  {
    names: ["gpt-5-{1-codex-max,2-codex}"],
    traits: { ...always, efforts: ["low", "medium", "high", "xhigh"], onChat: "never" },
    source,
  },
  {
    names: ["gpt-5-1-codex"],
    traits: { ...always, efforts: ["low", "medium", "high"], onChat: "never" },
    source,
  },
  {
    names: ["gpt-5-pro"],
    traits: { ...always, efforts: ["high"], effort: "high", onChat: "never" },
    source,
  },
  {
    names: ["gpt-5-{1,2,3,4,5,6}-pro"],
    traits: { ...always, efforts: ["medium", "high", "xhigh"], onChat: "never" },
    source,
  },
  { names: ["gpt-5-5"], traits: { ...stoppable, onChat: "unthinkingTools" }, source },
  {
    names: ["gpt-5-4", "gpt-5-2", "gpt-5-3-codex"],
    traits: { ...stoppable, effort: "none", onChat: "unthinkingTools" },
    source,
  },
  {
    names: ["gpt-5-1"],
    traits: { ...stoppable, efforts: ["low", "medium", "high"], effort: "none" },
    source,
  },
  {
    names: ["gpt-5-codex"],
    traits: { ...always, efforts: ["low", "medium", "high"], onChat: "never" },
    source,
  },
  {
    names: ["gpt-5"],
    traits: { ...always, efforts: ["minimal", "low", "medium", "high"], effort: "medium" },
    source,
  },
  {
    names: ["gpt-5-6"],
    traits: {
      ...stoppable,
      efforts: ["low", "medium", "high", "xhigh", "max"],
      onChat: "unthinkingTools",
    },
    source,
  },
  {
    names: ["gpt-5-*"],
    traits: { ...stoppable, efforts: ["low", "medium", "high"], onChat: "unthinkingTools" },
    source,
  },
];

const older: readonly Family[] = [
  {
    names: ["o1-{mini,preview}"],
    traits: { thinking: ["adaptive"], efforts: [], sampling: "usual", refuses: [...refuses, "stop"] },
    source,
  },
  {
    names: ["o{1,3}-pro"],
    traits: {
      ...always,
      efforts: ["low", "medium", "high"],
      onChat: "never",
      maxOutput: 100_000,
    },
    source,
  },
  {
    names: ["o1"],
    traits: { ...always, efforts: ["low", "medium", "high"], refuses, maxOutput: 100_000 },
    source,
  },
  {
    names: ["o{2,3,4,5,6,7,8,9}"],
    traits: { ...always, efforts: ["low", "medium", "high"], effort: "medium", maxOutput: 100_000 },
    source,
  },
  { names: ["gpt-4-1*"], traits: { ...thoughtless, maxOutput: 32_768 }, source },
  { names: ["gpt-4o*", "chatgpt-4o*", "gpt-audio*"], traits: { ...thoughtless, maxOutput: 16_384 }, source },
  { names: ["gpt-4*"], traits: thoughtless, source },
  { names: ["gpt-{3-5,35}*"], traits: { ...thoughtless, maxOutput: 4096 }, source },
];

export const gpt: readonly Family[] = [
  {
    names: ["gpt-oss*"],
    traits: { thinking: ["adaptive"], efforts: ["low", "medium", "high"], effort: "medium" },
    source,
  },
  {
    names: ["{gpt-5*,gpt-4o*}-search*"],
    traits: { thinking: ["adaptive"], efforts: [], sampling: false, refuses, maxOutput: 16_384 },
    source,
  },
  ...gpt6,
  ...gpt5,
  {
    names: ["gpt-{6,7,8,9}*"],
    traits: { ...always, efforts: ["low", "medium", "high"], onChat: "noTools" },
    source: "gpt-6-guide",
  },
  ...older,
];
