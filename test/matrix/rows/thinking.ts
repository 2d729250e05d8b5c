import type { Chapter } from "../feature.ts";

const schema = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

/** How to think, and what shape to answer in. */
export const thinking: Chapter = {
  title: "Thinking and format",
  way: "ask",
  features: [
    {
      name: "Effort of thinking",
      traits: { thinkingBy: "level" },
      said: {
        chatstyle: { reasoning_effort: "high" },
        responses: { reasoning: { effort: "high" } },
        msgstyle: { output_config: { effort: "high" } },
        genstyle: { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH" } } },
        native: { reasoningEffort: "high" },
      },
    },
    {
      name: "Budget of thinking, in tokens",
      said: {
        msgstyle: { max_tokens: 9000, thinking: { type: "enabled", budget_tokens: 5000 } },
        genstyle: { generationConfig: { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 5000 } } },
        native: { maxTokens: 9000, thinking: { type: "enabled", budgetTokens: 5000 } },
      },
      near: {
        chatstyle: { reasoning_effort: "medium" },
        responses: { reasoning: { effort: "medium" } },
        genstyle: { generationConfig: { thinkingConfig: { thinkingLevel: "MEDIUM" } } },
      },
    },
    {
      name: "No thinking",
      said: {
        chatstyle: { reasoning_effort: "none" },
        responses: { reasoning: { effort: "none" } },
        msgstyle: { thinking: { type: "disabled" } },
        genstyle: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
        native: { thinking: { type: "disabled" } },
      },
      near: { genstyle: { generationConfig: { thinkingConfig: { thinkingLevel: "MINIMAL" } } } },
    },
    {
      name: "Thoughts, requested",
      said: {
        responses: { reasoning: { summary: "auto" } },
        msgstyle: { thinking: { type: "adaptive", display: "summarized" } },
        genstyle: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
        native: { includeReasoning: true },
      },
    },
    {
      name: "An answer with a given schema",
      word: "integer",
      said: {
        chatstyle: { response_format: { type: "json_schema", json_schema: { name: "response", schema } } },
        responses: { text: { format: { type: "json_schema", name: "response", schema } } },
        msgstyle: { output_config: { format: { type: "json_schema", schema } } },
        genstyle: { generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema } },
        native: { responseFormat: { type: "json_schema", jsonSchema: { schema } } },
      },
    },
    {
      name: "An answer that is JSON",
      said: {
        chatstyle: { response_format: { type: "json_object" } },
        responses: { text: { format: { type: "json_object" } } },
        genstyle: { generationConfig: { responseMimeType: "application/json" } },
        native: { responseFormat: { type: "json_object" } },
      },
      near: {
        msgstyle: {
          system: [
            { type: "text", text: "Answer with one valid JSON object, and nothing before or after it." },
          ],
        },
      },
    },
    {
      name: "Verbosity of the answer",
      said: {
        chatstyle: { verbosity: "low" },
        responses: { text: { verbosity: "low" } },
        native: { verbosity: "low" },
      },
    },
  ],
};
