import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "model-probes";

/** What every model that thinks refuses. */
export const refuses: NonNullable<Traits["refuses"]> = [
  "frequencyPenalty",
  "presencePenalty",
  "logitBias",
  "topLogprobs",
];

/** The models that always think. */
export const always: Traits = {
  thinking: ["adaptive"],
  sampling: "usual",
  refuses: [...refuses, "stop"],
  maxOutput: 128_000,
};
const thoughtless: Traits = { thinking: [], refuses: ["verbosity"] };

/** The o-series, and what came before models that think. */
export const older: readonly Family[] = [
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
