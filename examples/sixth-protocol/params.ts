import { type ParamTable, within } from "@manifold-gateway/core/codec";

/** The scalars of the wire, each checked, read and written by its row. */
export const params = [
  { name: "maxTokens", wire: "max_tokens" },
  { name: "temperature", wire: "temperature" },
  { name: "topP", wire: "p" },
  { name: "topK", wire: "k" },
  { name: "seed", wire: "seed" },
  { name: "frequencyPenalty", wire: "frequency_penalty", write: within(0, 1) },
  { name: "presencePenalty", wire: "presence_penalty", write: within(0, 1) },
  { name: "stop", wire: "stop_sequences" },
] as const satisfies ParamTable;
