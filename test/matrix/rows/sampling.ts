import type { Json } from "@manifold-gateway/core/codec";
import type { Chapter, Feature } from "../feature.ts";

type Names = [chatstyle?: string, responses?: string, msgstyle?: string, genstyle?: string, native?: string];

/** One number or list, by its name in each protocol. */
function parameter(name: string, value: Json, names: Names, more: Partial<Feature> = {}): Feature {
  const [chatstyle, responses, msgstyle, genstyle, native] = names;
  return {
    name,
    said: {
      ...(chatstyle && { chatstyle: { [chatstyle]: value } }),
      ...(responses && { responses: { [responses]: value } }),
      ...(msgstyle && { msgstyle: { [msgstyle]: value } }),
      ...(genstyle && { genstyle: { generationConfig: { [genstyle]: value } } }),
      ...(native && { native: { [native]: value } }),
    },
    ...more,
  };
}
const none = undefined;
const five = ["END", "STOP", "HALT", "DONE", "QUIT"];
const everyTemperature: Names = ["temperature", "temperature", "temperature", "temperature", "temperature"];

/** How tokens are chosen, and how many. */
export const sampling: Chapter = {
  title: "Sampling and limits",
  way: "ask",
  features: [
    parameter("Maximum of output tokens", 300, [
      "max_completion_tokens",
      "max_output_tokens",
      "max_tokens",
      "maxOutputTokens",
      "maxTokens",
    ]),
    parameter("Temperature", 0.5, everyTemperature),
    parameter("Temperature zero", 0, everyTemperature),
    parameter(
      "Temperature above 1",
      1.5,
      ["temperature", "temperature", none, "temperature", "temperature"],
      {
        near: { msgstyle: { temperature: 1 } },
      },
    ),
    parameter("Nucleus (top p)", 0.25, ["top_p", "top_p", "top_p", "topP", "topP"]),
    parameter("Top k", 7, [none, none, "top_k", "topK", "topK"]),
    parameter("Frequency penalty", 0.5, [
      "frequency_penalty",
      none,
      none,
      "frequencyPenalty",
      "frequencyPenalty",
    ]),
    parameter("Presence penalty", 0.5, [
      "presence_penalty",
      none,
      none,
      "presencePenalty",
      "presencePenalty",
    ]),
    parameter("Penalty of 2", 2, ["frequency_penalty", none, none, none, "frequencyPenalty"], {
      near: { genstyle: { generationConfig: { frequencyPenalty: 1.99 } } },
    }),
    parameter("Repetition penalty", 1.25, [none, none, none, none, "repetitionPenalty"]),
    parameter("Min p", 0.25, [none, none, none, none, "minP"]),
    parameter("Top a", 0.25, [none, none, none, none, "topA"]),
    parameter("Seed", 42, ["seed", none, none, "seed", "seed"]),
    parameter("Seed of more than 32 bits", 5_000_000_000, ["seed", none, none, none, "seed"], {
      near: { genstyle: { generationConfig: { seed: 705_032_704 } } },
    }),
    parameter("Stop sequences", ["END"], ["stop", none, "stop_sequences", "stopSequences", "stop"]),
    parameter("Five stop sequences", five, [none, none, "stop_sequences", "stopSequences", "stop"], {
      near: { chatstyle: { stop: five.slice(0, 4) } },
    }),
    {
      name: "Logit bias",
      said: { chatstyle: { logit_bias: { "50256": -100 } }, native: { logitBias: { "50256": -100 } } },
    },
    {
      name: "Log probabilities, requested",
      said: {
        chatstyle: { logprobs: true, top_logprobs: 3 },
        responses: { include: ["message.output_text.logprobs"], top_logprobs: 3 },
        genstyle: { generationConfig: { responseLogprobs: true, logprobs: 3 } },
        native: { logprobs: true, topLogprobs: 3 },
      },
    },
    parameter("Several candidates", 2, ["n", none, none, "candidateCount"]),
  ],
};
