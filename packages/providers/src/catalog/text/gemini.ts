import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "model-probes";

/** What the models refuse since they think. */
const refuses: Traits["refuses"] = [
  "frequencyPenalty",
  "presencePenalty",
  "candidates",
  "logprobs",
  "topLogprobs",
];

const thoughtless: Traits = { thinkingBy: "budget", thinking: [] };
const budget: Traits = { thinkingBy: "budget", refuses, maxOutput: 65_536 };
/** The models that take levels always think. */
const level: Traits = { thinkingBy: "level", thinking: ["adaptive"], refuses, maxOutput: 65_536 };
const four: Traits["efforts"] = ["minimal", "low", "medium", "high"];
const three: Traits["efforts"] = ["low", "medium", "high"];

export const gemini: readonly Family[] = [
  { names: ["gemini-2-0*-thinking*"], traits: { thinkingBy: "budget" }, source },
  { names: ["gemini-{1-*,1,2-0*}"], traits: { ...thoughtless, maxOutput: 8192 }, source },
  { names: ["gemini-2-5*-{image,tts}*"], traits: { ...thoughtless, refuses, maxOutput: 32_768 }, source },
  {
    names: ["gemini-2-5-pro"],
    traits: { ...budget, thinking: ["adaptive", "manual"], budgets: [128, 32_768] },
    source,
  },
  { names: ["gemini-2-5-flash-lite"], traits: { ...budget, budgets: [512, 24_576] }, source },
  { names: ["gemini-2*"], traits: { ...budget, budgets: [1, 24_576] }, source },
  { names: ["gemini-3-pro-image*"], traits: { ...level, efforts: four, maxOutput: 32_768 }, source },
  {
    names: ["gemini-3*-image*"],
    traits: { ...level, efforts: ["minimal", "high"], maxOutput: 32_768 },
    source,
  },
  { names: ["gemini-3-pro"], traits: { ...level, efforts: ["low", "high"] }, source },
  { names: ["gemini-{flash*-lite,3*-lite}*"], traits: { ...level, efforts: four }, source },
  { names: ["gemini-3-flash", "gemini-3-{5,6}-flash"], traits: { ...level, efforts: four }, source },
  { names: ["gemini-{3-1-pro,pro,3*-pro}"], traits: { ...level, efforts: three }, source },
  {
    names: ["gemini-{3-7-flash,3-8-flash,flash-latest}"],
    traits: { ...level, efforts: three },
    source: "gemini-cloud",
  },
  { names: ["gemini-*"], traits: { ...level, efforts: three }, source: "gemini-cloud" },
  { names: ["gemma-{1,2,3}", "gemma-3n*"], traits: { ...thoughtless, maxOutput: 8192 }, source },
  {
    names: ["gemma-*"],
    traits: { thinkingBy: "level", thinking: ["adaptive"], efforts: ["minimal", "high"] },
    source,
  },
];
