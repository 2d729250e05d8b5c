import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Chapter, Feature } from "../feature.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const cs = (name: string, more: JsonObject = {}) => ({
  type: "function",
  function: { name, parameters: schema, ...more },
});
const rs = (name: string, more: JsonObject = {}) => ({ type: "function", name, parameters: schema, ...more });
const ms = (name: string, more: JsonObject = {}) => ({ name, input_schema: schema, ...more });
const gs = (...names: string[]) => ({
  functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: schema })),
});
const oneString = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
const both = ["weather", "clock"];
/** Two tools, and what is said of choosing one. */
const choosing = (name: string, said: Feature["said"], more: Partial<Feature> = {}): Feature => ({
  name,
  ...more,
  said: {
    ...(said.chatstyle && { chatstyle: { tools: both.map((each) => cs(each)), ...said.chatstyle } }),
    ...(said.responses && { responses: { tools: both.map((each) => rs(each)), ...said.responses } }),
    ...(said.msgstyle && { msgstyle: { tools: both.map((each) => ms(each)), ...said.msgstyle } }),
    ...(said.genstyle && { genstyle: { tools: [gs(...both)], ...said.genstyle } }),
    ...(said.native && { native: { tools: both.map((each) => cs(each)), ...said.native } }),
  },
});
const mode = (functionCallingConfig: JsonObject) => ({ toolConfig: { functionCallingConfig } });

/** What the model may use. */
export const tools: Chapter = {
  title: "Tools",
  way: "ask",
  features: [
    {
      name: "A function",
      word: "weather",
      said: {
        chatstyle: { tools: [cs("weather", { description: "Tells it." })] },
        responses: { tools: [rs("weather", { description: "Tells it." })] },
        msgstyle: { tools: [ms("weather", { description: "Tells it." })] },
        genstyle: {
          tools: [
            {
              functionDeclarations: [
                { name: "weather", description: "Tells it.", parametersJsonSchema: schema },
              ],
            },
          ],
        },
        native: { tools: [cs("weather", { description: "Tells it." })] },
      },
    },
    {
      name: "A function with a strict schema",
      word: "weather",
      said: {
        chatstyle: {
          tools: [cs("weather", { strict: true, parameters: { ...schema, additionalProperties: false } })],
        },
        responses: {
          tools: [rs("weather", { strict: true, parameters: { ...schema, additionalProperties: false } })],
        },
        msgstyle: {
          tools: [ms("weather", { strict: true, input_schema: { ...schema, additionalProperties: false } })],
        },
        native: {
          tools: [cs("weather", { strict: true, parameters: { ...schema, additionalProperties: false } })],
        },
      },
    },
    {
      name: "A tool with free-text input",
      word: "patch",
      said: {
        chatstyle: { tools: [{ type: "custom", custom: { name: "patch" } }] },
        responses: { tools: [{ type: "custom", name: "patch" }] },
      },
      // A function of one string, whose calls come back as free text.
      alike: {
        chatstyle: { tools: [cs("patch", { parameters: oneString })] },
        msgstyle: { tools: [{ name: "patch", input_schema: oneString }] },
        genstyle: { tools: [{ functionDeclarations: [{ name: "patch", parametersJsonSchema: oneString }] }] },
      },
    },
    {
      name: "The provider's web search",
      said: {
        chatstyle: { web_search_options: { search_context_size: "low" } },
        responses: { tools: [{ type: "web_search" }] },
        msgstyle: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
        genstyle: { tools: [{ googleSearch: {} }] },
        native: { webSearchOptions: { searchContextSize: "low" } },
      },
    },
    choosing("A call is required", {
      chatstyle: { tool_choice: "required" },
      responses: { tool_choice: "required" },
      msgstyle: { tool_choice: { type: "any" } },
      genstyle: mode({ mode: "ANY" }),
      native: { toolChoice: "required" },
    }),
    choosing("One function is required", {
      chatstyle: { tool_choice: { type: "function", function: { name: "clock" } } },
      responses: { tool_choice: { type: "function", name: "clock" } },
      msgstyle: { tool_choice: { type: "tool", name: "clock" } },
      genstyle: mode({ mode: "ANY", allowedFunctionNames: ["clock"] }),
      native: { toolChoice: { type: "function", function: { name: "clock" } } },
    }),
    choosing(
      "One of a set is required",
      {
        chatstyle: {
          tools: ["weather", "clock", "map"].map((each) => cs(each)),
          tool_choice: {
            type: "allowed_tools",
            allowed_tools: {
              mode: "required",
              tools: both.map((name) => ({ type: "function", function: { name } })),
            },
          },
        },
        responses: {
          tools: ["weather", "clock", "map"].map((each) => rs(each)),
          tool_choice: {
            type: "allowed_tools",
            mode: "required",
            tools: both.map((name) => ({ type: "function", name })),
          },
        },
        genstyle: {
          tools: [gs("weather", "clock", "map")],
          ...mode({ mode: "ANY", allowedFunctionNames: both }),
        },
      },
      { near: { chatstyle: { tool_choice: "required" }, msgstyle: { tool_choice: { type: "any" } } } },
    ),
    choosing("No call is allowed", {
      chatstyle: { tool_choice: "none" },
      responses: { tool_choice: "none" },
      msgstyle: { tool_choice: { type: "none" } },
      genstyle: mode({ mode: "NONE" }),
      native: { toolChoice: "none" },
    }),
    choosing("One call at a time", {
      chatstyle: { parallel_tool_calls: false },
      responses: { parallel_tool_calls: false },
      msgstyle: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
      native: { parallelToolCalls: false },
    }),
  ],
};
