import { DONE } from "@manifold-gateway/core";
import { hi, messages, model, question, says, schema, tool, under, type Wire } from "./wire.ts";

export const native: Wire = {
  ask: (model) => ["/api/v1/text/completions", { model, messages }],
  request: { model, messages: [{ role: "user", content: hi }], maxTokens: 2000 },
  wishes: {
    model: "m",
    messages: [question],
    maxTokens: 10,
    temperature: 0,
    stop: ["x"],
    tools: [tool],
    toolChoice: "required",
    parallelToolCalls: false,
    responseFormat: { type: "json_schema", jsonSchema: { schema } },
    reasoningEffort: "high",
    thinking: { type: "enabled", budgetTokens: 2000 },
  },
  report: {
    full: { promptTokens: 40, completionTokens: 20, totalTokens: 60 },
    body: (report) => ({ delta: says, finishReason: "stop", ...under("usage", report) }),
    chunks: (early, late) => [
      { delta: says, ...under("usage", early) },
      { delta: "", finishReason: "stop", ...under("usage", late) },
      DONE,
    ],
  },
};
