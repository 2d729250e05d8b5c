import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "claude-models";

/** What the models take of their own wire's members on the converse wire. */
const modelFields: Traits["modelFields"] = ["top_k", "thinking"];

/** The models that take a budget of tokens. */
const manual: Traits = { thinking: ["manual", "off"], modelFields, promptCache: 1024 };
/** The models that decide how much they think, within an effort. */
const adaptive: Traits = {
  modelFields,
  efforts: ["low", "medium", "high", "xhigh", "max"],
  sampling: "usual",
};
const always: Traits = { ...adaptive, promptCache: 1024, thinking: ["adaptive"], maxOutput: 128_000 };
const stoppable: Traits = {
  ...adaptive,
  promptCache: 1024,
  thinking: ["adaptive", "off"],
  maxOutput: 128_000,
};

export const claude: readonly Family[] = [
  {
    names: ["claude-{instant*,2*}", "claude-3-{opus,sonnet,haiku}"],
    traits: { thinking: [], modelFields: ["top_k"], strict: false, maxOutput: 4096 },
    source,
  },
  {
    names: ["claude-3-5*"],
    traits: { thinking: [], modelFields: ["top_k"], strict: false, maxOutput: 8192, promptCache: 2048 },
    source,
  },
  {
    names: ["claude-3-7*", "claude-sonnet-{4,4-0}", "claude-4-sonnet"],
    traits: { ...manual, strict: false, maxOutput: 64_000 },
    source,
  },
  {
    names: ["claude-opus-{4,4-0}", "claude-4"],
    traits: { ...manual, strict: false, maxOutput: 32_000 },
    source,
  },
  { names: ["claude-opus-4-1"], traits: { ...manual, sampling: "one", maxOutput: 32_000 }, source },
  {
    names: ["claude-{sonnet,haiku}-4-5", "claude-4-5"],
    traits: { ...manual, sampling: "one", maxOutput: 64_000 },
    source,
  },
  {
    names: ["claude-opus-4-5"],
    traits: {
      ...manual,
      efforts: ["low", "medium", "high"],
      sampling: "one",
      maxOutput: 64_000,
      promptCache: 4096,
    },
    source,
  },
  {
    names: ["claude-opus-4-6"],
    traits: {
      modelFields,
      efforts: ["low", "medium", "high", "max"],
      sampling: "one",
      maxOutput: 128_000,
      promptCache: 4096,
    },
    source,
  },
  {
    names: ["claude-sonnet-4-6"],
    traits: { modelFields, efforts: ["low", "medium", "high", "max"], sampling: "one", promptCache: 1024 },
    source,
  },
  { names: ["claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-5"], traits: stoppable, source },
  {
    names: ["claude-opus-5", "claude-haiku-5-5"],
    traits: { ...stoppable, offBy: "disabledToHigh" },
    source,
  },
  { names: ["claude-{fable,mythos}-{5,5-1,5-2}", "claude-opus-5-5"], traits: always, source },
  { names: ["claude-sonnet-5-5"], traits: { ...stoppable, offBy: "between_tools" }, source },
  { names: ["claude-*"], traits: { ...always, efforts: ["low", "medium", "high"] }, source },
];
