import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "model-probes";

/** The newer spellings of the chat wire, which most of its servers do not know. */
const newer: Traits = { developer: true, freeform: true, maxTokensField: "max_completion_tokens" };

const gpt: readonly Family[] = [
  { names: ["gpt-oss*"], traits: {}, source },
  { names: ["o1-{mini,preview}"], traits: { ...newer, system: false }, source },
  { names: ["{gpt-,chatgpt-}*", "chat-latest", "o{1,2,3,4,5,6,7,8,9}"], traits: newer, source },
];

const claude: readonly Family[] = [
  {
    names: [
      "claude-{instant,2,3}*",
      "claude-{opus,sonnet}-{4,4-0,4-1,4-5}",
      "claude-haiku-4-5",
      "claude-4-{opus,sonnet}",
    ],
    traits: { midSystem: false },
    source: "claude-models",
  },
  {
    names: ["claude-{opus,sonnet}-4-6", "claude-opus-4-7", "claude-sonnet-5"],
    traits: { midSystem: false, prefill: false },
    source: "claude-models",
  },
  { names: ["claude-*"], traits: { midSystem: "afterUser", prefill: false }, source: "claude-models" },
];

const gemma: readonly Family[] = [
  { names: ["gemma-{1,2,3}", "gemma-3n*"], traits: { system: false, alternates: true }, source },
  { names: ["gemma-*"], traits: { reasoningBack: false }, source },
];

/** Families that many hosts serve, most of them on the chat wire. */
const open: readonly Family[] = [
  { names: ["deepseek*"], traits: { reasoningBack: "always" }, source: "deepseek-thinking" },
  {
    names: [
      "{mistral,ministral,mixtral,magistral,voxtral,codestral,devstral,pixtral}*",
      "open-{mistral,mixtral,codestral}*",
    ],
    traits: {
      midSystem: false,
      alternates: true,
      prefill: false,
      userAfterResults: false,
      callIdLength: 9,
    },
    source: "mistral-issue",
  },
  { names: ["kimi-k2*"], traits: { reasoningBack: "calls" }, source: "kimi-parameters" },
  { names: ["kimi*", "k3"], traits: { reasoningBack: true }, source: "kimi-parameters" },
  { names: ["glm-*"], traits: { reasoningBack: true }, source },
  { names: ["minimax*"], traits: { midSystem: false }, source: "minimax-issue" },
  { names: ["qwen3-{5,6,7,8,9}*"], traits: { midSystem: false }, source },
  {
    names: ["sonar*"],
    traits: { midSystem: false, alternates: true, prefill: false },
    source: "model-profiles",
  },
  { names: ["{nova-,llama}*"], traits: { alternates: true }, source: "model-profiles" },
];

/**
 * What the models of a family demand of the form of a conversation: roles and their order, ids, thoughts of earlier
 * turns. It changes less often than the settings for thinking, so that it has rows of its own.
 */
export const conversationFamilies: readonly Family[] = [...gpt, ...claude, ...gemma, ...open];
