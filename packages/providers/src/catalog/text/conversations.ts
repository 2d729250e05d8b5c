import type { Traits } from "@manifold-gateway/core/codec";
import type { Family } from "./family.ts";

const source = "model-probes";

/** The newer spellings of the chat wire, which most of its servers do not know, and the ids of its vendor alone. */
const newer: Traits = {
  foreignCallIds: false,
  developer: true,
  freeform: true,
  toolSets: true,
  resultTexts: true,
  maxTokensField: "max_completion_tokens",
};

const gpt: readonly Family[] = [
  { names: ["gpt-oss*"], traits: {}, source },
  { names: ["o1-{mini,preview}"], traits: { ...newer, system: false, format: "prompt" }, source },
  { names: ["o{1,2,3,4,5,6,7,8,9}"], traits: { ...newer, parallelCalls: false }, source },
  { names: ["{gpt-,chatgpt-}*", "chat-latest"], traits: newer, source },
];

const signed: Traits = { thoughtSignatures: true, foreignCallIds: false };
/** The models that take system text in the middle, and no beginning of an answer. */
const newest: Traits = { ...signed, midSystem: "afterUser", prefill: false };

const claude: readonly Family[] = [
  {
    names: ["claude-{instant,2,3}*", "claude-{opus,sonnet}-{4,4-0}", "claude-4"],
    traits: { ...signed, midSystem: false, format: false },
    source: "claude-models",
  },
  {
    names: ["claude-{opus,sonnet,haiku}-4-{1,5}", "claude-4-{1,5}"],
    traits: { ...signed, midSystem: false },
    source: "claude-models",
  },
  {
    names: ["claude-{opus,sonnet}-4-6", "claude-opus-4-7", "claude-4-{6,7}", "claude-sonnet-5"],
    traits: { ...signed, midSystem: false, prefill: false },
    source: "claude-models",
  },
  {
    names: ["claude-opus-{4-8,5}", "claude-4-8", "claude-haiku-5-5"],
    traits: newest,
    source: "claude-models",
  },
  { names: ["claude-*"], traits: { ...newest, forcedChoice: false }, source: "claude-models" },
];

const google: readonly Family[] = [
  {
    names: ["gemini-{1,2}*"],
    traits: { resultMedia: false, formatConflicts: ["tools"] },
    source,
  },
  {
    names: ["gemini-3*-image*"],
    traits: { resultMedia: ["image", "document"], callSignatures: true, turnSignatures: true },
    source: "gemini-image-issue",
  },
  {
    names: ["gemini-*"],
    traits: { resultMedia: ["image", "document"], callSignatures: true },
    source: "model-profiles",
  },
  {
    names: ["gemma-{1,2,3}", "gemma-3n*"],
    traits: { system: false, alternates: true, resultMedia: false, format: "prompt" },
    source,
  },
  { names: ["gemma-*"], traits: { reasoningBack: false }, source },
];

/** The models that cannot be made to call a tool while they think, as they do unless they are kept from it. */
const free: Traits = { forcedChoice: "unthinking" };

const deepseek: Traits = { ...free, reasoningBack: "always", format: "object" };
const glm: Traits = { reasoningBack: true, forcedChoice: false, choiceOfNone: false, format: "object" };

/** Families that many hosts serve, most of them on the chat wire. */
const open: readonly Family[] = [
  { names: ["deepseek-{vl,ocr}*", "deepseek-*vision*"], traits: deepseek, source: "deepseek-thinking" },
  { names: ["deepseek*"], traits: { ...deepseek, media: [] }, source: "deepseek-thinking" },
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
  {
    names: ["kimi-k2-{5,6,7}"],
    traits: { ...free, reasoningBack: "calls" },
    source: "kimi-parameters",
  },
  {
    names: ["{kimi-k2,moonshot-v1}*"],
    traits: { forcedChoice: false, reasoningBack: "calls" },
    source: "kimi-parameters",
  },
  { names: ["kimi*", "k3"], traits: { reasoningBack: true }, source: "kimi-parameters" },
  { names: ["glm-5", "glm-5-{1,2,3}"], traits: { ...glm, media: [] }, source },
  { names: ["glm-*"], traits: glm, source },
  { names: ["mimo*"], traits: { reasoningBack: "calls", format: "object" }, source: "mimo-issue" },
  { names: ["minimax*"], traits: { midSystem: false, toolSchemas: true }, source: "minimax-issue" },
  { names: ["muse-*-open*"], traits: {}, source: "muse-open" },
  { names: ["muse-*"], traits: { forcedChoice: false, choiceOfNone: false }, source: "muse-cloud" },
  { names: ["{command-a,north}*"], traits: { forcedChoice: false, choiceOfNone: false }, source },
  // Names with a size are those of open models: their servers can force a call, and take a format.
  { names: ["qwen3-{5,6,7,8,9}*b"], traits: { midSystem: false }, source },
  { names: ["qwen*b", "qwen*-{instruct,coder}*", "qwen{1,2}*"], traits: {}, source },
  {
    names: ["qwen3-{5,6,7,8,9}*"],
    traits: { ...free, formatConflicts: ["thinking"], midSystem: false },
    source,
  },
  { names: ["qwen*"], traits: { ...free, formatConflicts: ["thinking"] }, source },
  {
    names: ["sonar*"],
    traits: { midSystem: false, alternates: true, prefill: false },
    source: "model-profiles",
  },
  { names: ["{nova-,llama}*"], traits: { alternates: true }, source: "model-profiles" },
];

/**
 * What the models of a family demand of the form of a conversation: roles and their order, ids, thoughts of earlier
 * turns, the choice of tools, the shape of the answer. It changes less often than the settings for thinking, so that it
 * has rows of its own.
 */
export const conversationFamilies: readonly Family[] = [...gpt, ...claude, ...google, ...open];
