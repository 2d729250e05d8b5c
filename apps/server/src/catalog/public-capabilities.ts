import { type AnyCodec, codecs, collectLosses, type Protocol } from "@manifold-gateway/core";
import type { Traits } from "@manifold-gateway/core/codec";
import { type ParamKinds, type Params, paramFacts } from "@manifold-gateway/core/ir";
import { MODEL_CONFIGS, type ModelConfig } from "llm-zoo";

/** The abilities of a model according to the public list. */
export interface Abilities {
  /** Modalities. */
  input: string[];
  output: string[];
  /** The context window in tokens. */
  contextWindow: number;
  maxOutputTokens: number;
  tools: boolean;
  webSearch: boolean;
  reasoning: boolean;
  /** Whether it accepts a reasoning effort. */
  effort: boolean;
  /** Whether the provider no longer serves it. */
  retired: boolean;
}

/** The list's names for providers that the price list names differently. */
const spellings: Record<string, string> = { "x-ai": "xai", moonshotai: "moonshot" };

/**
 * The abilities of a provider's model, by the price list's id for the provider and the model's native name.
 * Undefined if the list has no such name.
 */
export function listedAbilities(provider: string, name: string): Abilities | undefined {
  const maker = spellings[provider] ?? provider;
  const isIt = (model: ModelConfig): boolean =>
    provider === "openrouter"
      ? model.openrouterFullName === name
      : model.provider === maker && !model.openRouterOnly && [model.fullName, model.shortName].includes(name);
  // The list has several rows for a model: with reasoning, without, at another tier.
  const rows = Object.values(MODEL_CONFIGS).filter(isIt);
  if (rows.length === 0) return undefined;
  const can = (ability: BooleanAbility): boolean => rows.some(({ capabilities }) => capabilities[ability]);
  return {
    input: [
      "text",
      ...(can("supportsVision") ? ["image"] : []),
      ...(can("supportsNativePdf") ? ["file"] : []),
      ...(can("supportsNativeAudio") ? ["audio"] : []),
    ],
    output: ["text"],
    contextWindow: Math.max(...rows.map((row) => row.contextWindow)),
    maxOutputTokens: Math.max(...rows.map((row) => row.maxOutputTokens)),
    tools: can("supportsFunctionCalling"),
    webSearch: can("supportsNativeWebSearch"),
    reasoning: can("supportsReasoning"),
    effort: can("supportsReasoningEffort"),
    retired: rows.every(({ retired }) => retired === true),
  };
}

type BooleanAbility = {
  [K in keyof ModelConfig["capabilities"]]-?: ModelConfig["capabilities"][K] extends boolean ? K : never;
}[keyof ModelConfig["capabilities"]];

/** A value of each kind of parameter. */
const samples: ParamKinds = {
  number: 1,
  boolean: true,
  text: "low",
  texts: ["."],
  weights: {},
  labels: {},
};

/** A value for each parameter of the native interface. */
const everyParam: Params = Object.fromEntries(
  codecs.native.params.map(({ name }) => [name, samples[paramFacts[name].kind]]),
);

/**
 * The generation parameters that an entry accepts, named as in the native interface: the scalars that one of its
 * protocols can express, and the other parameters that the model supports.
 */
export function supportedParameters(
  { tools, webSearch, reasoning, effort }: Abilities,
  protocols: readonly Protocol[],
  traits: Traits = {},
): string[] {
  const expressible = new Set(
    protocols.flatMap((protocol) => expressibleParams(codecs[protocol] as AnyCodec, traits)),
  );
  return [
    ...Object.keys(everyParam).filter((name) => expressible.has(name)),
    "responseFormat",
    ...(tools ? ["tools", "toolChoice", "parallelToolCalls"] : []),
    ...(webSearch ? ["webSearchOptions"] : []),
    ...(reasoning ? ["thinking", "includeReasoning"] : []),
    ...(effort ? ["reasoningEffort"] : []),
  ];
}

function expressibleParams(codec: AnyCodec, traits: Traits): string[] {
  const { losses, lose } = collectLosses();
  codec.request.encode({ model: "m", stream: false, messages: [], params: everyParam }, lose, traits);
  const lost = new Set(losses.filter(({ why }) => why === "unsupported").map(({ path }) => path));
  return Object.keys(everyParam).filter((name) => !lost.has(`/params/${name}`));
}
