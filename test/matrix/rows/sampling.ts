import { codecs } from "@manifold-gateway/core";
import { chatExtensions, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import type { ParamName } from "@manifold-gateway/core/ir";
import { factOf, paramNames } from "../../../packages/core/src/ir/params.ts";
import { samples } from "../../support/params.ts";
import { type Chapter, type Feature, surfaces } from "../feature.ts";

const nest = (path: readonly string[], value: Json): JsonObject => {
  const [key = "", ...below] = path;
  return { [key]: below.length > 0 ? nest(below, value) : value };
};

/**
 * One parameter, by its name in each protocol that has it. A protocol with something near cannot express the value, and
 * the extensions of the chat wire are not taken by a model without traits.
 */
function parameter(title: string, name: ParamName, value: Json, near: Feature["near"] = {}): Feature {
  const said = surfaces.flatMap((surface): [string, JsonObject][] => {
    const row = codecs[surface].params.find((candidate) => candidate.name === name);
    const isAbsent = surface in near || (surface === "chatstyle" && chatExtensions.includes(row?.wire ?? ""));
    return row && !isAbsent ? [[surface, nest(row.wire.split("."), value)]] : [];
  });
  // Every chat server knows the older spelling of the limit.
  const alike = name === "maxTokens" ? { alike: { chatstyle: { max_tokens: value } } } : {};
  return { name: title, said: Object.fromEntries(said), near, ...alike };
}

const five = ["END", "STOP", "HALT", "DONE", "QUIT"];

/** Rows with a title of their own, and with values that some wires treat in another way. */
const titled: Parameters<typeof parameter>[] = [
  ["Maximum of output tokens", "maxTokens", 300],
  ["Temperature", "temperature", 0.5],
  ["Temperature zero", "temperature", 0],
  ["Temperature above 1", "temperature", 1.5, { msgstyle: { temperature: 1 } }],
  ["Nucleus (top p)", "topP", 0.25],
  ["Top k", "topK", 7],
  ["Frequency penalty", "frequencyPenalty", 0.5],
  ["Presence penalty", "presencePenalty", 0.5],
  [
    "Penalty of 2",
    "frequencyPenalty",
    2,
    {
      genstyle: { generationConfig: { frequencyPenalty: 1.99 } },
    },
  ],
  ["Repetition penalty", "repetitionPenalty", 1.25],
  ["Min p", "minP", 0.25],
  ["Top a", "topA", 0.25],
  ["Seed", "seed", 42],
  [
    "Seed of more than 32 bits",
    "seed",
    5_000_000_000,
    {
      genstyle: { generationConfig: { seed: 705_032_704 } },
    },
  ],
  ["Stop sequences", "stop", ["END"]],
  ["Five stop sequences", "stop", five, { chatstyle: { stop: five.slice(0, 4) } }],
  ["Logit bias", "logitBias", { "50256": -100 }],
];

const logprobs: Feature = {
  name: "Log probabilities, requested",
  said: {
    chatstyle: { logprobs: true, top_logprobs: 3 },
    responses: { include: ["message.output_text.logprobs"], top_logprobs: 3 },
    genstyle: { generationConfig: { responseLogprobs: true, logprobs: 3 } },
    native: { logprobs: true, topLogprobs: 3 },
  },
};

const named = new Set(titled.map(([, name]) => name));
const others = paramNames.filter((name) => factOf(name).sampling && !named.has(name));

/** How tokens are chosen, and how many. */
export const sampling: Chapter = {
  title: "Sampling and limits",
  way: "ask",
  features: [
    ...titled.map((row) => parameter(...row)),
    logprobs,
    parameter("Several candidates", "candidates", 2),
    ...others.map((name) => parameter(name, name, samples[factOf(name).kind] as Json)),
  ],
};
