import type { Traits } from "@manifold-gateway/core/codec";
import type { Describer } from "./listed.ts";
import {
  type Auth,
  defineProvider,
  type ProtocolTraits,
  type Provider,
  type UpstreamProtocol,
} from "./provider.ts";
import type { ServesOptions } from "./serves.ts";
import { publishedSurcharges, type SurchargeRow } from "./surcharges.ts";

/** A provider that needs nothing but its key, or nothing at all. */
export interface Preset {
  /** The name for people. */
  name: string;
  origin: string;
  speaks: readonly UpstreamProtocol[];
  serves?: ServesOptions;
  /** Its image and video models are the known ones of its wires. */
  media?: true;
  /** The environment variable that holds its key; setting it activates the preset. */
  keyVariable?: string;
  /** The environment variable that says where it runs; setting it activates a local preset. */
  originVariable?: string;
  auth?: Auth;
  traits?: Traits;
  protocolTraits?: ProtocolTraits;
  routes?: boolean;
  surcharges?: readonly SurchargeRow[];
  unpriced?: Provider["unpriced"];
  timeouts?: Provider["timeouts"];
  drain?: number;
  describes?: Describer;
}

/**
 * A local server may have to load its model before the first byte. It bills nothing, and often answers one request at
 * a time: an answer without a reader would only delay the next.
 */
const local = { timeouts: { firstByte: 600_000, idle: 120_000 }, drain: 0 };
const localTraits: Traits = {
  maxTokensField: "max_tokens",
  developer: false,
  freeform: false,
  extensions: ["top_k", "min_p", "repetition_penalty"],
};

/** All that a request can say of how tools are called. */
const toolPolicy = ["toolChoice", "toolNames", "parallelToolCalls"] as const;

/** The providers that are known by name, without what they bill beside tokens. */
const known: Record<string, Omit<Preset, "surcharges" | "unpriced">> = {
  openai: {
    name: "OpenAI",
    origin: "https://api.openai.com/v1",
    speaks: ["responses", "chatstyle"],
    serves: { image: "chatstyle", speech: "chatstyle" },
    media: true,
    keyVariable: "OPENAI_API_KEY",
    timeouts: { firstByte: 600_000 },
  },
  anthropic: {
    name: "Anthropic",
    origin: "https://api.anthropic.com/v1",
    speaks: ["msgstyle"],
    keyVariable: "ANTHROPIC_API_KEY",
    timeouts: { firstByte: 600_000 },
  },
  google: {
    name: "Google Gemini",
    origin: "https://generativelanguage.googleapis.com/v1beta",
    speaks: ["genstyle"],
    serves: { image: "genstyle", video: "genstyle" },
    media: true,
    keyVariable: "GEMINI_API_KEY",
    timeouts: { firstByte: 600_000 },
  },
  openrouter: {
    name: "OpenRouter",
    origin: "https://openrouter.ai/api/v1",
    speaks: ["chatstyle", "responses", "msgstyle"],
    serves: { image: "routerstyle", video: "routerstyle", embed: "routerstyle" },
    media: true,
    keyVariable: "OPENROUTER_API_KEY",
    auth: { header: "authorization", scheme: "Bearer" },
    routes: true,
    traits: {
      reasoningBack: true,
      freeform: false,
      extensions: ["top_k", "min_p", "top_a", "repetition_penalty", "cache_control", "images", "reasoning"],
    },
    timeouts: { firstByte: 600_000 },
  },
  byteplus: {
    name: "BytePlus ModelArk",
    origin: "https://ark.ap-southeast.bytepluses.com/api/v3",
    speaks: ["chatstyle"],
    serves: { image: "mediastyle", video: "mediastyle", embed: "mediastyle" },
    media: true,
    keyVariable: "ARK_API_KEY",
    timeouts: { firstByte: 600_000 },
  },
  volcengine: {
    name: "Volcengine Ark",
    origin: "https://ark.cn-beijing.volces.com/api/v3",
    speaks: ["chatstyle"],
    serves: { image: "mediastyle", video: "mediastyle", embed: "mediastyle" },
    keyVariable: "VOLCENGINE_ARK_API_KEY",
    timeouts: { firstByte: 600_000 },
  },
  seedspeech: {
    name: "BytePlus Seed Speech",
    origin: "https://voice.ap-southeast-1.bytepluses.com",
    speaks: [],
    serves: { speech: "speechstyle" },
    keyVariable: "SEED_SPEECH_API_KEY",
  },
  ollama: {
    name: "Ollama",
    origin: "http://127.0.0.1:11434/v1",
    speaks: ["chatstyle", "responses", "msgstyle"],
    originVariable: "OLLAMA_ORIGIN",
    traits: localTraits,
    protocolTraits: {
      chatstyle: { ignores: toolPolicy },
      responses: { ignores: toolPolicy },
      msgstyle: { ignores: ["responseFormat", ...toolPolicy] },
    },
    describes: "tags",
    ...local,
  },
  llamacpp: {
    name: "llama.cpp",
    origin: "http://127.0.0.1:8080/v1",
    speaks: ["chatstyle", "responses", "msgstyle"],
    originVariable: "LLAMACPP_ORIGIN",
    keyVariable: "LLAMACPP_API_KEY",
    traits: localTraits,
    protocolTraits: {
      chatstyle: { ignores: ["toolNames"] },
      responses: { ignores: ["responseFormat", "toolNames"] },
      msgstyle: { ignores: ["responseFormat", ...toolPolicy] },
    },
    describes: "props",
    ...local,
  },
  vllm: {
    name: "vLLM",
    origin: "http://127.0.0.1:8000/v1",
    speaks: ["chatstyle", "responses", "msgstyle"],
    originVariable: "VLLM_ORIGIN",
    keyVariable: "VLLM_API_KEY",
    traits: localTraits,
    protocolTraits: { msgstyle: { ignores: ["responseFormat", "parallelToolCalls"] } },
    ...local,
  },
};

/** The providers that are known by name. A vendor bills for what it does; a server of one's own does not. */
export const presets: Record<string, Preset> = Object.fromEntries(
  Object.entries(known).map(([id, preset]): [string, Preset] => [
    id,
    {
      ...preset,
      unpriced: preset.originVariable === undefined ? "refuse" : "forward",
      ...(publishedSurcharges[id] && { surcharges: publishedSurcharges[id] }),
    },
  ]),
);

/** The preset providers that the environment activates. `env` is read, never kept. */
export function activePresets(env: Record<string, string | undefined>): Provider[] {
  const active: Provider[] = [];
  for (const [id, preset] of Object.entries(presets)) {
    const key = preset.keyVariable && env[preset.keyVariable];
    const origin = preset.originVariable && env[preset.originVariable];
    if (!origin && (!key || preset.originVariable)) continue;
    active.push(fromPreset(id, { origin: origin || undefined, key: key || undefined }));
  }
  return active;
}

/** A preset as a provider; `over` replaces what an operator sets otherwise. */
export function fromPreset(
  id: string,
  over: { id?: string; origin?: string | undefined; key?: string | undefined } = {},
): Provider {
  const preset = presets[id];
  if (!preset) throw new Error(`unknown preset ${id}; known are ${Object.keys(presets).join(", ")}`);
  return defineProvider(over.id ?? id, {
    ...preset,
    origin: over.origin ?? preset.origin,
    key: over.key,
  });
}
