import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";
import { always, older, refuses } from "./gpt-older.ts";

const source = "model-probes";

/** The models that can be kept from thinking, and then take sampling. */
const stoppable: Traits = {
  thinking: ["adaptive", "off"],
  efforts: ["low", "medium", "high", "xhigh"],
  effort: "medium",
  sampling: "unthinking",
  refuses,
  maxOutput: 128_000,
};

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

export const gpt: readonly Family[] = [
  {
    names: ["gpt-oss*"],
    traits: {
      thinking: ["adaptive"],
      efforts: ["low", "medium", "high"],
      effort: "medium",
      modelFields: ["reasoning_effort"],
    },
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
