import type { Family } from "./family.ts";

const source = "model-probes";

export const gpt: readonly Family[] = [
  { names: ["gpt-oss*"], traits: {}, source },
  { names: ["gpt-6-astra"], traits: {}, source: "gpt-6-guide" },
  { names: ["gpt-6-1-sol"], traits: {}, source: "gpt-6-guide" },
  { names: ["gpt-6-1-terra"], traits: {}, source: "gpt-6-guide" },
  { names: ["gpt-6-{sol,luna}"], traits: {}, source: "gpt-6-guide" },
  { names: ["{gpt-5*,gpt-4o*}-search*"], traits: {}, source },
  { names: ["gpt-5-chat"], traits: { thinking: [] }, source },
  { names: ["gpt-5-{1,2,3}-chat", "chat-latest"], traits: { thinking: [] }, source },
  { names: ["gpt-5-{1-codex-max,2-codex}"], traits: {}, source },
  { names: ["gpt-5-1-codex"], traits: {}, source },
  { names: ["gpt-5-{pro,2-pro,4-pro,5-pro,6-pro}"], traits: {}, source },
  { names: ["gpt-5-5"], traits: {}, source },
  { names: ["gpt-5-4"], traits: {}, source },
  { names: ["gpt-5-{2,3-codex}"], traits: {}, source },
  { names: ["gpt-5-1"], traits: {}, source },
  { names: ["gpt-5-codex"], traits: {}, source },
  { names: ["gpt-5"], traits: {}, source },
  { names: ["gpt-5-*"], traits: {}, source },
  { names: ["gpt-{6,7,8,9}*"], traits: {}, source: "gpt-6-guide" },
  { names: ["o1-{mini,preview}"], traits: {}, source },
  { names: ["o{1,3}-pro"], traits: {}, source },
  { names: ["o{1,2,3,4,5,6,7,8,9}"], traits: {}, source },
  { names: ["gpt-{4o*,}audio*"], traits: {}, source },
  { names: ["gpt-4-1*"], traits: { thinking: [] }, source },
  { names: ["gpt-4o*", "chatgpt-4o*"], traits: { thinking: [] }, source },
  { names: ["gpt-4*"], traits: { thinking: [] }, source },
  { names: ["gpt-{3-5,35}*"], traits: { thinking: [] }, source },
];
