import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "model-probes";

const thoughtless: Traits = { thinkingBy: "budget", thinking: [] };
const budget: Traits = { thinkingBy: "budget" };
const level: Traits = { thinkingBy: "level" };

export const gemini: readonly Family[] = [
  { names: ["gemini-2-0*-thinking*"], traits: budget, source },
  { names: ["gemini-{1-*,1,2-0*}"], traits: thoughtless, source },
  { names: ["gemini-2-5*-{image,tts}*"], traits: thoughtless, source },
  // This model always thinks.
  { names: ["gemini-2-5-pro"], traits: { ...budget, thinking: ["adaptive", "manual"] }, source },
  { names: ["gemini-2-5-flash-lite"], traits: budget, source },
  { names: ["gemini-2*"], traits: budget, source },
  { names: ["gemini-3*-image*"], traits: level, source },
  { names: ["gemini-3-pro"], traits: level, source },
  { names: ["gemini-3-{1,5}-flash-lite"], traits: level, source },
  { names: ["gemini-3-flash"], traits: level, source },
  { names: ["gemini-3-{5,6}-flash"], traits: level, source },
  { names: ["gemini-{flash*-lite,3*-lite}*"], traits: level, source },
  { names: ["gemini-{3-1-pro,pro,3*-pro}"], traits: level, source },
  { names: ["gemini-{3-7-flash,3-8-flash,flash-latest}"], traits: level, source: "gemini-cloud" },
  { names: ["gemini-*"], traits: level, source },
  { names: ["gemma-{1,2,3}", "gemma-3n*"], traits: thoughtless, source },
  { names: ["gemma-*"], traits: {}, source },
];
