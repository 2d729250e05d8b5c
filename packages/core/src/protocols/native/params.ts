import { type ParamTable, within } from "../../codec/params.ts";

export const params: ParamTable = [
  {
    name: "maxTokens",
    wire: "maxTokens",
    write: (value: number, lose, path) => {
      const whole = Math.max(1, Math.round(value));
      if (whole !== value) lose(path, "approximated", `${value} became ${whole}`);
      return whole;
    },
  },
  { name: "temperature", wire: "temperature", write: within(0, 2) },
  { name: "topP", wire: "topP" },
  { name: "topK", wire: "topK" },
  { name: "minP", wire: "minP" },
  { name: "topA", wire: "topA" },
  { name: "repetitionPenalty", wire: "repetitionPenalty" },
  { name: "frequencyPenalty", wire: "frequencyPenalty" },
  { name: "presencePenalty", wire: "presencePenalty" },
  { name: "seed", wire: "seed" },
  { name: "stop", wire: "stop" },
  { name: "logitBias", wire: "logitBias" },
  { name: "logprobs", wire: "logprobs" },
  { name: "topLogprobs", wire: "topLogprobs" },
  { name: "verbosity", wire: "verbosity" },
];
